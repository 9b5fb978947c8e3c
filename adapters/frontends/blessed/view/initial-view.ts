import { emptyConversation } from '../conversation/conversation.ts';
import { emptyEditor } from '../editor/editor.ts';
import type { CommandRow, ScreenSettings } from '../../host.ts';
import { keymapOf, type Keymap } from '../keys/keymap.ts';
import type { Size, Status, View } from './view.ts';

const nothingKnown: Status = {
  session: null,
  title: '',
  model: null,
  effort: null,
  mode: 'default',
  costUsd: null,
  budgetUsd: null,
  maxSteps: 0,
  contextTokens: null,
  contextWindow: null,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  surroundings: null,
  tasks: [],
  todos: [],
  changedFiles: [],
  line: null,
};

/** The screen before anything has happened: what can be drawn before a session is open. */
export function initialView(
  size: Size,
  settings: ScreenSettings,
  commands: readonly CommandRow[],
  known: Partial<Status> = {},
  keymap: Keymap = keymapOf(settings.keys).keymap,
): View {
  return {
    size,
    activity: { type: 'opening' },
    conversation: emptyConversation,
    editor: emptyEditor,
    completion: null,
    queue: [],
    questions: [],
    goOn: null,
    dialog: null,
    help: null,
    sidebar: false,
    status: { ...nothingKnown, ...known },
    commands,
    keymap,
    settings,
    focused: true,
    told: null,
    leavingUntil: 0,
  };
}
