import type { Outcome } from '../../../../adapters/frontends/host.ts';
import { providerStates } from '../../../../adapters/providers/overview.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { isPortError } from '../../../../ports/errors.ts';
import type { AgentSession } from '../../../../ports/frontend.ts';
import type { Program } from '../../program.ts';
import { type Answered, dialog, dialogId, type EarlyCommand, nothing, problem, told } from '../command.ts';
import { useModel } from '../models/model.ts';
import { connectionChoices } from './connection-choices.ts';
import { askForModels, offered, stateOf } from './server-models.ts';

/** The name under which a server of one's own is kept. */
const ownServer = 'local';

type Answer = Answered<AgentSession | null>;

/** Asks for the servers of this machine, while what is known without them can be chosen already. */
const look = 'look';

/** What is known at once is the keys; the servers of this machine are asked first only if `asks`. */
async function first({ folder, env }: Program, asks = false): Promise<Outcome> {
  const unasked = asks ? {} : { probe: () => Promise.resolve(null) };
  const states = await providerStates({ settings: folder.settings, env, ...unasked });
  const text = 'Where should answers come from? Keys stay on this machine.';
  return dialog({
    id: dialogId('connect'),
    title: 'Connect to a model',
    text: asks ? text : `${text}\n\nLooking for Ollama, LM Studio and other servers on this machine…`,
    choices: connectionChoices(states),
    filter: true,
    ...(asks ? {} : { meanwhile: look }),
  });
}

function askForKey(id: string): Outcome {
  return dialog({
    id: dialogId('connect', `key:${id}`),
    title: `Key for ${oneLine(id)}`,
    text: 'It is tried before it is kept.',
    ask: { label: 'Key', masked: true },
  });
}

function askForAddress(initial = 'http://127.0.0.1:8000/v1'): Outcome {
  return dialog({
    id: dialogId('connect', 'server'),
    title: 'Address of the server',
    text: 'As it stands before `/chat/completions`.',
    ask: { label: 'Address', initial },
  });
}

function failed(id: string, why: string): Outcome {
  const isOwn = id === ownServer;
  return dialog({
    id: dialogId('connect', `failed:${id}`),
    title: `${oneLine(id)} cannot be used yet`,
    text: why
      .split('\n')
      .map((row) => oneLine(row))
      .join('\n\n'),
    choices: [
      { value: 'retry', label: 'try again' },
      { value: 'key', label: 'enter a key' },
      ...(isOwn ? [{ value: 'address', label: 'change the address' }] : []),
      { value: 'back', label: 'choose something else' },
    ],
  });
}

/** Tries a connection; its models are what comes next. */
async function tried(id: string, { program, signal }: Answer): Promise<Outcome> {
  const listed = await askForModels(id, program, signal);
  if (signal.aborted) return nothing;
  if ('problem' in listed) return failed(id, listed.problem);
  const state = await stateOf(id, program);
  const choices = state === null ? [] : offered(state, listed.models, program);
  const shown = { id: dialogId('connect', `model:${id}`), title: `Model of ${oneLine(id)}` };
  if (choices.length === 0) return dialog({ ...shown, ask: { label: 'Model' } });
  return dialog({ ...shown, choices, filter: true });
}

/** A key as it was typed: tried for this run, then kept if the user says so. */
async function withKey(id: string, typed: string, answer: Answer): Promise<Outcome> {
  const { program, signal } = answer;
  const apiKey = typed.trim();
  if (apiKey === '') return askForKey(id);
  const before = program.folder.settings.providers[id] ?? { type: id };
  await program.connect(id, { ...before, apiKey });
  const listed = await askForModels(id, program, signal);
  if (signal.aborted || 'problem' in listed) {
    await program.connect(id, id === ownServer ? before : null);
    return 'problem' in listed && !signal.aborted ? failed(id, listed.problem) : nothing;
  }
  return dialog({
    id: dialogId('connect', `save:${id}`),
    title: 'The key works',
    text: 'Where should larik find it next time?',
    choices: [
      { value: 'config', label: 'keep it in my settings', detail: 'a file that only you can read' },
      { value: 'run', label: 'for this run only', detail: 'set a variable of the environment yourself' },
    ],
  });
}

async function saved(id: string, where: string, answer: Answer): Promise<Outcome> {
  const { program } = answer;
  const apiKey = program.folder.settings.providers[id]?.apiKey;
  if (where === 'config' && apiKey !== undefined) {
    // A dollar sign in a file begins the name of a variable.
    await program.save(['providers', id, 'api_key'], apiKey.replaceAll('$', '$$$$'));
  }
  return tried(id, answer);
}

async function withAddress(typed: string, answer: Answer): Promise<Outcome> {
  const baseUrl = typed.trim();
  if (!/^https?:\/\/[^\s]+$/.test(baseUrl)) return askForAddress(baseUrl);
  await answer.program.connect(ownServer, { type: 'openai-compatible', baseUrl });
  return tried(ownServer, answer);
}

/** Follows the model, and keeps it for later runs. */
async function withModel(id: string, typed: string, { session, program }: Answer): Promise<Outcome> {
  const ref = typed.startsWith(`${id}/`) ? typed : `${id}/${typed.trim()}`;
  program.prefer(ref);
  const done = session === null ? told(`${oneLine(ref)} answers`) : useModel(ref, session, program);
  if (done.type === 'problem') return done;
  try {
    const own = program.folder.settings.providers[ownServer];
    if (id === ownServer && own?.baseUrl !== undefined) {
      await program.save(['providers', ownServer, 'type'], own.type);
      await program.save(['providers', ownServer, 'base_url'], own.baseUrl);
    }
    await program.save(['model'], ref);
    return done;
  } catch (error) {
    if (!isPortError(error, 'settings')) throw error;
    return problem(`${ref} answers in this run, but cannot be kept for later ones: ${error.message}`);
  }
}

function chosen(value: string, answer: Answer): Outcome | Promise<Outcome> {
  const { program, session } = answer;
  if (value === look) return first(program, true);
  if (value === 'server') return askForAddress();
  if (value === 'demo') {
    program.prefer('demo/demo');
    return session === null ? nothing : useModel('demo/demo', session, program);
  }
  const id = value.slice(value.indexOf(':') + 1);
  return value.startsWith('key:') ? askForKey(id) : tried(id, answer);
}

function afterFailure(id: string, value: string, answer: Answer): Outcome | Promise<Outcome> {
  if (value === 'retry') return tried(id, answer);
  if (value === 'key') return askForKey(id);
  return value === 'address' ? askForAddress() : first(answer.program);
}

/** `/connect`, and the first start: finds a way to a model, tries it, and keeps it. */
export const connect: EarlyCommand = {
  run: ({ program }) => first(program),
  choose(answer) {
    const { step, value } = answer;
    if (step === '') return chosen(value, answer);
    if (step === 'server') return withAddress(value, answer);
    const colon = step.indexOf(':');
    const [kind, id] = [step.slice(0, colon), step.slice(colon + 1)];
    switch (kind) {
      case 'key':
        return withKey(id, value, answer);
      case 'save':
        return saved(id, value, answer);
      case 'model':
        return withModel(id, value, answer);
      default:
        return afterFailure(id, value, answer);
    }
  },
};
