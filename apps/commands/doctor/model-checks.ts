import type { Connection } from '../../../adapters/providers/choose.ts';
import type { LoadedSettings } from '../../../ports/settings.ts';
import { fail, ok, warn, type Finding } from './check.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where keys may come from: names only, a value goes nowhere. */
export interface KeyFacts {
  env: Environment;
  providers: LoadedSettings['providers'];
  /** The variables that are set, of those that larik knows. */
  variables: readonly Connection[];
}

const isSet = (env: Environment, name: string): boolean => Boolean(env[name]?.trim());

/** Names of variables and settings that hold keys; never what they hold. */
export function judgeKeys({ env, providers, variables }: KeyFacts): Finding[] {
  const all = Object.entries(providers);
  const named = all.flatMap(([name, { apiKeyEnv }]) =>
    apiKeyEnv === undefined ? [] : [{ name, apiKeyEnv }],
  );
  const configured = all.flatMap(([name, { apiKeyCommand, apiKey }]) => [
    ...(apiKeyCommand === undefined ? [] : [`providers.${name}.api_key_command`]),
    ...(apiKey === undefined ? [] : [`providers.${name}.api_key`]),
  ]);
  const fromSettings = named.map(({ apiKeyEnv }) => apiKeyEnv).filter((variable) => isSet(env, variable));
  const found = [...new Set([...variables.map((one) => one.found), ...fromSettings, ...configured])];
  return [
    ok('keys', found.length > 0 ? found.join(', ') : 'none found in the environment or the settings'),
    ...named
      .filter(({ apiKeyEnv }) => !isSet(env, apiKeyEnv))
      .map(({ name, apiKeyEnv }) =>
        warn('keys', `providers.${name}: the variable ${apiKeyEnv} is not set`, `export ${apiKeyEnv}=…`),
      ),
  ];
}

/** The model that a run would use now; `problem`: why it cannot be had. */
export interface ModelFacts {
  ref: string;
  /** What chose it, such as `--model` or the settings. */
  from: string;
  problem: string | null;
  /** What the reference stands for, if it is another's name or a role. */
  resolved: string | null;
}

export function judgeModel({ ref, from, problem, resolved }: ModelFacts): Finding[] {
  if (problem !== null) {
    const [what = '', ...rest] = problem.split(/(?<=\.)\s+/);
    return [
      fail(
        'model',
        `${ref} (${from}): ${what.replace(/\.$/, '')}`,
        rest.join(' ') || 'see larik help models',
      ),
    ];
  }
  if (ref === 'demo/demo') {
    const remedy = 'set a key, such as ANTHROPIC_API_KEY, or start a local server; see larik help models';
    return [warn('model', `${ref} (${from}): a stand-in, no language model`, remedy)];
  }
  const name = resolved === null || resolved === ref ? ref : `${ref}, that is ${resolved}`;
  return [ok('model', `${name} (${from})`)];
}

/** Servers on this machine that answered. */
export function judgeServers(servers: readonly Connection[]): Finding[] {
  if (servers.length === 0) return [ok('local', 'no model server answers on this machine')];
  return servers.map(({ found, command }) => ok('local', `${found}; to use it: ${command}`));
}

const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

/** The proxy variables: an address is shown without its name and password. */
export function judgeProxies(env: Environment): Finding[] {
  const set = proxyNames.flatMap((name) => {
    const used = env[name.toLowerCase()]?.trim() ? name.toLowerCase() : name;
    const value = env[used]?.trim() ?? '';
    return value === '' ? [] : [{ name: used, value, isList: name === 'NO_PROXY' }];
  });
  if (set.length === 0) return [ok('proxy', 'none set')];
  return set.map(({ name, value, isList }) => {
    if (isList) return ok('proxy', `${name}=${value}`);
    const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    if (!URL.canParse(text)) {
      return warn('proxy', `${name} is no address, and is not used`, `export ${name}=http://HOST:PORT`);
    }
    const { protocol, host } = new URL(text);
    if (protocol !== 'http:' && protocol !== 'https:') {
      return warn(
        'proxy',
        `${name}: ${protocol}// is no proxy that larik speaks to`,
        `use an http:// address`,
      );
    }
    return ok('proxy', `${name}=${protocol}//${host}`);
  });
}
