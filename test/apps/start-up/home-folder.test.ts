import { expect, it } from 'vitest';
import { settleHome } from '../../../apps/start-up/home-folder.ts';

function settled(env: Record<string, string | undefined>, listed: string | null): unknown {
  return { said: settleHome(env, () => listed), home: env['HOME'] };
}

it('keeps an absolute HOME', () => {
  expect(settled({ HOME: '/home/you' }, '/home/other')).toEqual({ said: null, home: '/home/you' });
});

it('takes the home folder that the system lists for one that is missing, empty or relative', () => {
  for (const HOME of [undefined, '', 'here']) {
    expect(settled({ HOME }, '/home/you')).toEqual({ said: null, home: '/home/you' });
  }
});

it('says what to do where there is none', () => {
  const rest = 'and the system lists no home folder for this user; set HOME to a folder of yours';
  expect(settled({}, null)).toEqual({ said: `HOME is not set, ${rest}`, home: undefined });
  expect(settled({ HOME: '' }, null)).toEqual({ said: `HOME is no absolute path, ${rest}`, home: '' });
});
