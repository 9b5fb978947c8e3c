import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../domain/text/fold.ts';
import { domainName, hostMatches, hostOf } from '../../../domain/text/host.ts';
import { isInside, relativeTo } from '../../../domain/text/path-text.ts';
import { wildcardMatches } from '../../../domain/text/glob.ts';

describe('folding', () => {
  it('gives one form to names that a file system may take for the same', () => {
    const same = ['É', 'é', 'e\u0301', 'E\u0301\u200d'].map(fold);
    expect(new Set(same).size).toBe(1);
    expect(['.GIT', '.g\u200cit', '\ufeff.git', '.ＧＩＴ'].map(fold)).toEqual(Array(4).fill('.git'));
    expect(['\u212a', '\u017f', 'ß'].map(fold)).toEqual(['k', 's', 'ss']);
    expect(fold('a/.b-c_d')).toBe('a/.b-c_d');
  });
});

describe('wildcards', () => {
  it('match as a regular expression would', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, subject) => {
        const source = pattern
          .split('*')
          .map((piece) => piece.replaceAll('.', '\\.'))
          .join('[^]*');
        expect(wildcardMatches(pattern, subject)).toBe(new RegExp(`^${source}$`).test(subject));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('paths', () => {
  it('are inside by whole names', () => {
    expect(['/p', '/p/a', '/p-x', '/p/../q', '/'].map((path) => relativeTo(path, '/p'))).toEqual([
      '',
      'a',
      null,
      '../q',
      null,
    ]);
    expect(isInside('/a', '/')).toBe(true);
    expect(relativeTo('C:\\p\\a\\b', 'C:\\p')).toBe('a/b');
  });
});

describe('hosts', () => {
  it('have one form', () => {
    const urls = [
      'https://A.example./x',
      'http://a@b.example:80',
      'https://evil\u3002example/',
      'ftp://a/',
      'a.example',
      'https://',
    ];
    expect(urls.map(hostOf)).toEqual(['a.example', 'b.example', 'evil.example', null, null, null]);
    expect(['Go.Dev', 'go.dev.', '127.0.0.1', '*.go.dev', 'a/b', 'a:1', ''].map(domainName)).toEqual([
      'go.dev',
      'go.dev',
      '127.0.0.1',
      null,
      null,
      null,
      null,
    ]);
    expect(hostMatches('domain:go.dev', 'x.go.dev')).toBe(true);
    expect(hostMatches('domain:go.dev', 'xgo.dev')).toBe(false);
  });
});
