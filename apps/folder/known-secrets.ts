import { presets } from '../../adapters/providers/openai-compatible/presets.ts';
import { Secrets } from '../../domain/text/secrets/secrets.ts';
import type { LoadedSettings } from '../../ports/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of vendors that hold keys, or headers that do, whether this version reads them or not. */
const ofVendors = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'OPENAI_API_KEY',
  'OPENAI_ADMIN_KEY',
  'OPENAI_CUSTOM_HEADERS',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
];

const addresses = ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL', 'OLLAMA_HOST'];
const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** `Name: value` lines, as the vendors' SDKs read them. */
export function headersOf(lines = ''): Record<string, string> {
  return Object.fromEntries(
    lines.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

/** The secrets that environment and settings hold; what key commands give is added when they run. */
export function knownSecrets(providers: LoadedSettings['providers'], env: Environment): Secrets {
  const configured = Object.values(providers);
  const variables = [
    ...ofVendors,
    ...Object.values(presets).flatMap(({ keyVariables }) => [...keyVariables]),
    ...configured.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []),
  ];
  const secrets = new Secrets(variables);
  for (const name of variables) {
    if (name.endsWith('_CUSTOM_HEADERS')) secrets.addHeaders(headersOf(env[name]));
    else secrets.addKey(env[name]);
  }
  for (const { apiKey, headers, baseUrl } of configured) {
    secrets.addKey(apiKey);
    secrets.addHeaders(headers);
    secrets.addAddress(baseUrl);
  }
  for (const name of addresses) secrets.addAddress(env[name]);
  for (const name of proxies) {
    secrets.addProxy(env[name]);
    secrets.addProxy(env[name.toLowerCase()]);
  }
  return secrets;
}
