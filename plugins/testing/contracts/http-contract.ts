import { isPortError } from '../../../ports/errors.ts';
import type { Http, HttpRequest } from '../../../ports/http.ts';
import type { HttpPage } from '../fakes/fake-http.ts';
import type { TestKit } from '../test-kit.ts';

export interface HttpTrial {
  http: Http;
  /** Where `contractPages` are found, without a slash at its end. */
  site: string;
  end(): Promise<void>;
}

/** What the trial's site serves, by path. */
export const contractPages: Readonly<Record<string, HttpPage>> = {
  '/text': { headers: { 'content-type': 'text/plain' }, body: 'hellö' },
  '/missing': { status: 404, body: 'none' },
  '/again': { status: 302, headers: { location: '/text' } },
  '/round': { status: 301, headers: { location: '/round' } },
  '/elsewhere': { status: 302, headers: { location: 'https://elsewhere.example/x' }, body: 'moved' },
  '/metadata': { status: 302, headers: { location: 'http://169.254.169.254/' } },
  '/big': { body: 'x'.repeat(1000) },
};

/** What every `Http` does (spec: web). `begin` gives a fresh trial for each test. */
export function testHttp(
  name: string,
  { describe, it, expect }: TestKit,
  begin: () => Promise<HttpTrial>,
): void {
  const never = new AbortController().signal;
  type Ask = (request: string | HttpRequest, signal?: AbortSignal) => Promise<unknown>;
  const trial = (title: string, body: (ask: Ask, site: string) => Promise<void>) => {
    it(title, async () => {
      const { http, site, end } = await begin();
      const ask: Ask = async (request, signal = never) => {
        try {
          const asked = typeof request === 'string' ? { url: site + request } : request;
          const { headers, body: bytes, ...rest } = await http.request(asked, signal);
          const type = headers['content-type'] ?? null;
          return { ...rest, url: rest.url.slice(site.length), type, body: new TextDecoder().decode(bytes) };
        } catch (error) {
          return isPortError(error, 'http') ? error.kind : `no error of this port: ${String(error)}`;
        }
      };
      try {
        await body(ask, site);
      } finally {
        await end();
      }
    });
  };
  const answer = {
    url: '/text',
    status: 200,
    type: 'text/plain',
    body: 'hellö',
    redirectedTo: null,
    proxy: null,
  };

  describe(`${name}: the contract of Http`, () => {
    trial('gives status, headers and body', async (ask) => {
      expect(await ask('/text')).toEqual(answer);
      expect(await ask('/missing')).toEqual({
        ...answer,
        url: '/missing',
        status: 404,
        type: null,
        body: 'none',
      });
    });

    trial('asks for the head alone', async (ask, site) => {
      expect(await ask({ url: `${site}/text`, method: 'HEAD' })).toEqual({ ...answer, body: '' });
    });

    trial('follows a redirect on the same host, but not for ever', async (ask, site) => {
      expect(await ask('/again')).toEqual(answer);
      expect(await ask('/round')).toBe('redirects');
      expect(await ask({ url: `${site}/again`, method: 'POST' })).toEqual({
        ...answer,
        url: '/again',
        status: 302,
        type: null,
        body: '',
        redirectedTo: `${site}/text`,
      });
    });

    trial('tells of a redirect to another host', async (ask) => {
      const told = { ...answer, status: 302, type: null };
      expect(await ask('/elsewhere')).toEqual({
        ...told,
        url: '/elsewhere',
        body: 'moved',
        redirectedTo: 'https://elsewhere.example/x',
      });
      expect(await ask('/metadata')).toEqual({
        ...told,
        url: '/metadata',
        body: '',
        redirectedTo: 'http://169.254.169.254/',
      });
    });

    trial('refuses what is no web address, and addresses that nobody may ask', async (ask) => {
      for (const url of ['http://', 'file:///etc/passwd', 'http://a:b@example.com/', 'http://0xa9fea9fe/']) {
        expect(await ask({ url })).toBe('blocked');
      }
    });

    trial('refuses a body that is longer than asked for', async (ask, site) => {
      expect(await ask({ url: `${site}/big`, maxBytes: 999 })).toBe('too_large');
    });

    trial('does nothing once it is aborted', async (ask) => {
      expect(await ask('/text', AbortSignal.abort())).toBe('aborted');
    });
  });
}
