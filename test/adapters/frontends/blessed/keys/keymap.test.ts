import { describe, expect, it } from 'vitest';
import { actions } from '../../../../../adapters/frontends/blessed/keys/actions.ts';
import { keyNamed, shownKey } from '../../../../../adapters/frontends/blessed/keys/key-name.ts';
import { actionAt, keymapOf, keysOf } from '../../../../../adapters/frontends/blessed/keys/keymap.ts';
import { InputDecoder } from '../../../../../adapters/frontends/blessed/terminal/decoder.ts';

const idle = { empty: false, running: false };

describe('the default keys', () => {
  it('leave no action without one, and share only what depends on the input', () => {
    const { keymap, problems } = keymapOf({});
    const shared = actions.flatMap(({ name, keys }) => keys.filter((key) => keymap.get(key) !== name));
    expect([problems, shared]).toEqual([[], ['ctrl+d']]);
    expect(actions.filter(({ name }) => keysOf(keymap, name).length === 0)).toEqual([]);
  });

  it('are written as the decoder names them', () => {
    const keys = actions.flatMap((action) => action.keys);
    expect(keys.filter((key) => keyNamed(key) !== key)).toEqual([]);
  });

  it.each([
    ['\r', 'send'],
    ['\u001b[13;2u', 'newline'],
    ['\u001b\r', 'newline'],
    ['\n', 'newline'],
    ['\t', 'follow_up'],
    ['\u001b[Z', 'cycle_mode'],
    ['\u001bp', 'models'],
    ['\u0003', 'clear'],
    ['\u000f', 'expand'],
    ['\u001bOQ', 'sidebar'],
    ['\u001b[5~', 'page_up'],
    ['\u001b[1;5H', 'top'],
    ['\u001b[1;5F', 'bottom'],
    ['\u001a', 'suspend'],
    ['\u0007', 'external_editor'],
    ['\u0016', 'paste_image'],
    ['\u0012', 'history_search'],
    ['\u001f', 'undo'],
    ['\u001b/', 'redo'],
    ['\u001bb', 'word_left'],
    ['\u001b[1;5C', 'word_right'],
    ['\u001b\u007f', 'delete_word_left'],
    ['\u001b<', 'text_start'],
    ['\u001b[1;3A', 'edit_queue'],
  ])('as terminals send them: %j is %s', (bytes, action) => {
    const { keymap } = keymapOf({});
    const [input] = new InputDecoder().push(bytes);
    const name = input?.type === 'key' ? input.name : '';
    expect(actionAt(keymap, name, { empty: false, running: true })).toBe(action);
  });
});

describe('what a key does', () => {
  it.each([
    ['ctrl+d', { empty: true, running: false }, 'quit'],
    ['ctrl+d', idle, 'delete_right'],
    ['tab', { empty: false, running: true }, 'follow_up'],
    ['tab', idle, null],
    ['?', { empty: true, running: false }, 'help'],
    ['?', idle, null],
    ['end', { empty: true, running: false }, 'bottom'],
    ['end', idle, 'line_end'],
    ['f9', idle, null],
  ] as const)('%s with %o', (key, at, action) => {
    expect(actionAt(keymapOf({}).keymap, key, at)).toBe(action);
  });
});

describe('keys of the user', () => {
  it.each([
    ['Ctrl-C', 'ctrl+c'],
    ['C-c', 'ctrl+c'],
    ['^c', 'ctrl+c'],
    ['M-x', 'alt+x'],
    ['shift+Ctrl+Return', 'ctrl+shift+enter'],
    ['esc', 'escape'],
    ['PgUp', 'pageup'],
    ['ctrl++', 'ctrl++'],
    ['ctrl+-', 'ctrl+-'],
    ['ctrl+i', 'tab'],
    ['ctrl+/', 'ctrl+_'],
    ['F12', 'f12'],
    ['cmd+k', null],
    ['f13', null],
    ['ctrl+', null],
    ['', null],
    ['\u001b', null],
  ])('%s is named %s', (written, name) => {
    expect(keyNamed(written)).toBe(name);
  });

  it('take the place of the defaults', () => {
    const { keymap, problems } = keymapOf({ models: ['F3', 'alt-m'], sidebar: [] });
    expect([keysOf(keymap, 'models'), keysOf(keymap, 'sidebar'), keymap.has('alt+p'), problems]).toEqual([
      ['f3', 'alt+m'],
      [],
      false,
      [],
    ]);
  });

  it('may be swapped', () => {
    const { keymap, problems } = keymapOf({ models: 'ctrl+o', expand: 'alt+p' });
    expect([keymap.get('ctrl+o'), keymap.get('alt+p'), problems]).toEqual(['models', 'expand', []]);
  });

  it.each([
    [{ model: 'f3' }, 'There is no action `model` to give a key to. Did you mean models?'],
    [
      { models: 'cmd+k' },
      'The key `cmd+k` of models is none that terminals send. Write it like ctrl+k, alt+p or f5.',
    ],
    [{ models: 'p' }, 'The key `p` of models types something. Add ctrl+ or alt+ to it.'],
    [{ models: 'C-c' }, 'The key `C-c` of models always clears, interrupts and quits, and stays so.'],
    [{ interrupt: [] }, 'interrupt needs a key, so it keeps its own.'],
    [{ models: 'f3', expand: 'f3' }, 'f3 is given to both models and expand; models has it.'],
    [{ models: 'ctrl+o' }, 'ctrl+o is given to models, so expand does not have it.'],
    [{ newline: 'enter' }, 'send needs a key, so enter stays with it; give it another to free this one.'],
    [{ 'a\u202eb': 'f3' }, 'There is no action `a\\u{202e}b` to give a key to.'],
  ])('are told of where they do not hold: %o', (custom, problem) => {
    const { keymap, problems } = keymapOf(custom);
    expect(problems).toEqual([problem]);
    for (const name of ['interrupt', 'clear', 'send'] as const) expect(keysOf(keymap, name)).not.toEqual([]);
  });

  it('keep the default where none of them holds', () => {
    expect(keysOf(keymapOf({ models: 'cmd+k' }).keymap, 'models')).toEqual(['alt+p']);
  });
});

describe('keys as people read them', () => {
  it.each([
    ['escape', 'esc', 'esc'],
    ['alt+up', 'alt+↑', 'alt+up'],
    ['ctrl+pageup', 'ctrl+PgUp', 'ctrl+PgUp'],
    ['ctrl++', 'ctrl++', 'ctrl++'],
  ])('%s', (name, sign, ascii) => {
    expect([shownKey(name), shownKey(name, true)]).toEqual([sign, ascii]);
  });
});
