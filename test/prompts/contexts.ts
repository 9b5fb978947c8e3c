import type { EnvironmentFacts } from '../../domain/prompt/environment.ts';
import { systemPrompt, type SystemPromptFacts } from '../../domain/prompt/system-prompt.ts';
import type { SandboxFacts } from '../../ports/sandbox.ts';

export const environment: EnvironmentFacts = {
  cwd: '/home/kim/app',
  project: '/home/kim/app',
  platform: 'linux x64',
  shell: 'bash',
  date: '2026-01-02',
  interactive: true,
};

/** A sandbox as it is where nothing is set. */
export const sandbox: SandboxFacts = {
  name: 'bubblewrap',
  works: true,
  problem: null,
  required: false,
  writable: [],
  network: false,
  domains: [],
};

/** Facts of contexts as users have them, by the name of their golden file. */
export const contexts: Record<string, SystemPromptFacts> = {
  'context-git-project': { environment, instructions: [], sandbox },
  'context-sandbox-off': { environment, instructions: [] },
  'context-sandbox-open': {
    environment,
    instructions: [],
    sandbox: { ...sandbox, writable: ['/home/kim/data', '/srv/cache'], network: true },
  },
  'context-without-git': {
    environment: { ...environment, cwd: '/tmp/notes', project: null },
    instructions: [],
  },
  'context-headless': {
    environment: { ...environment, interactive: false },
    instructions: [],
    append: 'Answer with one line.',
  },
  'context-agents-md': {
    environment: { ...environment, cwd: '/home/kim/app/web' },
    instructions: [
      {
        path: '/home/kim/.config/larik/AGENTS.md',
        text: '# How I like to work\n\n- Answer in British English.\n',
      },
      { path: '/home/kim/app/AGENTS.md', text: '# app\n\n- Tests: `npm test`.\n- Tabs, no semicolons.\n' },
      { path: '/home/kim/app/web/AGENTS.md', text: 'Here semicolons are used.\n' },
    ],
  },
};

/** A fresh context in a git project where nothing is set. */
export const freshContext = systemPrompt({ environment, instructions: [], sandbox });
