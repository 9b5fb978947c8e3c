import { describe, expect, it } from 'vitest';
import { createDemoProvider } from '../../../adapters/providers/demo/demo-provider.ts';
import { createScriptProvider } from '../../../adapters/providers/script/script-provider.ts';
import { testProvider } from '../../../plugins/testing/contracts/provider-contract.ts';

const kit = { describe, it, expect };

testProvider(kit, {
  name: 'demo',
  model: 'demo',
  answers: () =>
    Promise.resolve({ provider: createDemoProvider({ connections: () => Promise.resolve([]) }) }),
});

const script = (text: string) => () =>
  Promise.resolve({ provider: createScriptProvider({ readFile: () => Promise.resolve(text) }) });

testProvider(kit, {
  name: 'script',
  model: 's.yaml',
  answers: script('- text: One.\n- text: Two.\n'),
  fails: script('- error: { kind: overloaded }\n'),
});
