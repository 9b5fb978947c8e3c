import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addressProblem, webTarget } from '../../../../domain/text/net/web-target.ts';

interface UrlCase {
  id: string;
  url: string;
  resolves_to: string[] | null;
  expect: 'allow' | 'block';
  why: string;
}

const file = new URL('../../../fixtures/cases/urls.jsonl', import.meta.url);
const cases = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as UrlCase);

function decided({ url, resolves_to: addresses }: UrlCase): 'allow' | 'block' {
  const target = webTarget(url);
  if ('problem' in target) return 'block';
  const all = target.isAddress ? [target.host] : (addresses ?? []);
  return all.length > 0 && all.every((one) => addressProblem(one) === null) ? 'allow' : 'block';
}

describe('the address check', () => {
  for (const one of cases) {
    it(`${one.id} ${JSON.stringify(one.url)}: ${one.expect}`, () => expect(decided(one)).toBe(one.expect));
  }
});

describe('a URL', () => {
  const problem = (url: string) => {
    const target = webTarget(url);
    return 'problem' in target ? target.problem : null;
  };

  it('tells why it is refused', () => {
    expect(problem('http://')).toBe('it is not a valid URL');
    expect(problem('file:///etc/passwd')).toBe('only http and https are fetched, not file:');
    expect(problem('https://me:secret@example.com/')).toBe('it holds a user name or password');
    expect(problem('http://0xa9fea9fe/')).toBe(
      '169.254.169.254 is a link-local address, where clouds give out credentials',
    );
    expect(problem('http://METADATA.google.internal./')).toBe(
      'metadata.google.internal. gives out credentials of the machine that asks (cloud metadata)',
    );
  });

  it('is allowed with its host in one form', () => {
    expect(webTarget('http://[0:0::1]:80/x')).toMatchObject({ host: '::1', isAddress: true });
    expect(webTarget('HTTPS://Exämple.com')).toMatchObject({ host: 'xn--exmple-cua.com', isAddress: false });
  });
});
