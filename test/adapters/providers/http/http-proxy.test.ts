import { describe, expect, it } from 'vitest';
import { isLocalHost, proxyFor } from '../../../../adapters/providers/http/http-proxy.ts';

const proxy = 'http://proxy.test:3128/';

describe('proxyFor', () => {
  it.each([
    ['http://model.test/', { HTTP_PROXY: proxy }, proxy],
    ['https://model.test/', { HTTP_PROXY: proxy }, null],
    ['https://model.test/', { https_proxy: 'proxy.test:3128' }, proxy],
    ['https://model.test/', { https_proxy: proxy, HTTPS_PROXY: 'http://other.test' }, proxy],
    ['https://model.test/', { HTTPS_PROXY: 'http://[' }, null],
    ['https://model.test/', { HTTPS_PROXY: proxy, NO_PROXY: 'model.test' }, null],
    ['https://a.model.test/', { HTTPS_PROXY: proxy, NO_PROXY: 'x, .model.test' }, null],
    ['https://a.model.test/', { HTTPS_PROXY: proxy, no_proxy: '*.model.test' }, null],
    ['https://mymodel.test/', { HTTPS_PROXY: proxy, NO_PROXY: 'model.test' }, proxy],
    ['https://model.test/', { HTTPS_PROXY: proxy, NO_PROXY: 'model.test:443' }, null],
    ['https://model.test/', { HTTPS_PROXY: proxy, NO_PROXY: 'model.test:80' }, proxy],
    ['https://model.test/', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, null],
    ['http://localhost:1234/', { HTTP_PROXY: proxy }, null],
    ['http://127.0.0.1:1234/', { HTTP_PROXY: proxy }, null],
    ['http://[::1]:1234/', { HTTP_PROXY: proxy }, null],
  ])('%s with %j', (url, env, expected) => {
    expect(proxyFor(new URL(url), env)?.url.href ?? null).toBe(expected);
  });
});

describe('isLocalHost', () => {
  it.each([
    'localhost',
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.7',
    '172.16.1.1',
    '[fd00::1]',
    'box.local',
    'gpu-box',
    'host.docker.internal',
    '[::1]',
  ])('%s is near', (host) => {
    expect(isLocalHost(host)).toBe(true);
  });
  it.each(['api.anthropic.com', '172.32.1.1', '8.8.8.8', '10.example.com', '[2001:db8::1]'])(
    '%s is not',
    (host) => {
      expect(isLocalHost(host)).toBe(false);
    },
  );
});
