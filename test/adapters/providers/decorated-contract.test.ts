import { describe, expect, it } from 'vitest';
import { withRetry } from '../../../adapters/providers/decorators/retry.ts';
import { withStallGuard } from '../../../adapters/providers/decorators/stall-guard.ts';
import { PortError } from '../../../ports/errors.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';
import { testProvider } from '../../../plugins/testing/contracts/provider-contract.ts';
import { scriptedProvider, type ScriptedResponse } from '../../../plugins/testing/scripted-provider.ts';

const cut = () => new PortError('provider', 'stream_cut', 'cut', { retryable: true });
const decorated =
  (...responses: ScriptedResponse[]) =>
  () => {
    const guarded = withStallGuard(scriptedProvider(responses), { clock: fakeClock(), timeoutMs: 1000 });
    return Promise.resolve({
      provider: withRetry(guarded, { clock: fakeClock({ auto: true }), ids: fakeIds() }),
    });
  };
const text = { text: 'Hello.' };

testProvider(
  { describe, it, expect },
  {
    name: 'a guarded provider that is retried',
    model: 'm',
    answers: decorated(text, text),
    fails: decorated({ error: cut() }, { error: cut() }, { error: cut() }, { error: cut() }),
    breaksOff: decorated({ ...text, error: cut() }),
    hangs: decorated({ ...text, hangs: true }),
  },
);
