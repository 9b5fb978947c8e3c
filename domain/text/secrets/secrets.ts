import { formsOf } from './forms.ts';
import { redact, shortestSecret } from './redact.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Headers of requests that hold nothing secret in ordinary use. */
const openHeaders =
  /^(?:accept|content-type|user-agent|http-referer|referer|x-title|anthropic-(?:beta|version))$/i;

/** Names of parameters whose value is a key. */
const secretParameters = /[?&][^=&#]*(?:key|token|secret|password|sig)[^=&#]*=([^&#]+)/gi;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What of an address is secret: what stands before the host, as written, decoded and as a header has it; keys in its query. */
function secretsOfAddress(address: string): string[] {
  const user = /([^/?#@\s]*)@/.exec(address)?.[1] ?? '';
  const [name = '', ...rest] = user.split(':');
  const password = rest.join(':');
  const bytes = Array.from(new TextEncoder().encode(`${decoded(name)}:${decoded(password)}`));
  const basic = btoa(String.fromCharCode(...bytes));
  const before = password === '' ? [name] : [password, basic];
  const parameters = [...address.matchAll(secretParameters)].map(([, value = '']) => value);
  return [...before, ...parameters].flatMap((text) => [text, decoded(text)]);
}

/**
 * What larik knows to be secret: the keys of providers, and what gives access to servers and proxies
 * (spec: settings-and-trust, "More"). It grows as commands give keys.
 */
export class Secrets {
  readonly #keys = new Set<string>();
  readonly #others = new Set<string>();
  readonly #variables: ReadonlySet<string>;

  /** `variables` are names of those that hold keys. */
  constructor(variables: Iterable<string> = []) {
    this.#variables = new Set(variables);
  }

  /** Adds a key; nothing happens if there is none, or one too short to be told from other text. */
  addKey(key: string | undefined): void {
    const text = key?.trim() ?? '';
    if (text.length >= shortestSecret) for (const form of formsOf(text)) this.#keys.add(form);
  }

  /** Adds the words of headers' values, such as what stands behind `Bearer` or a cookie's name. */
  addHeaders(headers: Readonly<Record<string, string>> = {}): void {
    for (const [name, value] of Object.entries(headers)) {
      if (!openHeaders.test(name)) for (const word of value.split(/[\s;,=]+/)) this.addKey(word);
    }
  }

  /** Adds what is secret in the address of a model server. */
  addAddress(address: string | undefined): void {
    for (const secret of secretsOfAddress(address ?? '')) this.addKey(secret);
  }

  /** Adds what is secret in the address of a proxy, which commands need as well. */
  addProxy(address: string | undefined): void {
    for (const secret of secretsOfAddress(address ?? '')) {
      if (secret.length >= shortestSecret) for (const form of formsOf(secret)) this.#others.add(form);
    }
  }

  /** All that must not appear in any text, in each of its forms. */
  values(): string[] {
    return [...this.#keys, ...this.#others];
  }

  redact(text: string): string {
    return redact(text, this.values());
  }

  /** Names of those of `variables` that hold a key, by their name or in their value. */
  variablesIn(variables: Variables): string[] {
    const keys = [...this.#keys];
    return Object.entries(variables)
      .filter(([name, value = '']) => this.#variables.has(name) || keys.some((key) => value.includes(key)))
      .map(([name]) => name);
  }

  /** `variables` without those that hold a key, for a program that larik starts. */
  environment(variables: Variables): Record<string, string> {
    const away = new Set(this.variablesIn(variables));
    const kept = Object.entries(variables).filter(([name]) => !away.has(name));
    return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  }
}
