import { hasText, keeps } from '../checks.mjs';

const rooms = ['cellar', 'attic', 'study', 'kitchen', 'hall', 'garden', 'library', 'workshop'];
const words = ['amber', 'fern', 'slate', 'plum', 'cobalt', 'wheat', 'coral', 'onyx'];

/** How a note says where to go on and what to keep: no search finds them all. */
const hints = [
  (room, word) => `Whoever gets this far should look into ${room} afterwards, and remember ${word}.`,
  (room, word) => `The colour on the door is ${word}; the next door is that of ${room}.`,
  (room, word) => `Then it is time for ${room}. On the wall somebody has written ${word}.`,
  (room, word) => `A label reads ${word}, and an arrow points to ${room}.`,
];

const things = ['a lamp', 'two chairs', 'an old map', 'a box of nails', 'some rope', 'a clock', 'a jar'];

/** About nine kilobytes of what nobody needs. */
const inventory = (from, count) =>
  Array.from({ length: count }, (_, i) => {
    const at = from + i;
    return `Shelf ${at + 1} holds ${things[at % 7]}, ${things[(at * 3 + 2) % 7]} and ${things[(at * 5 + 4) % 7]}, seen last in week ${1 + ((at * 11) % 52)}.`;
  });

function note(at) {
  const next = rooms[at + 1];
  const hint =
    next === undefined ? `The last word is ${words[at]}; it ends here.` : hints[at % 4](next, words[at]);
  return [`The ${rooms[at]}`, '', ...inventory(at * 7, 60), hint, ...inventory(at * 7 + 60, 60), ''].join(
    '\n',
  );
}

/** Each note names the next one, so they are read one after the other, and do not fit the window together. */
export const longTask = {
  name: 'long-task',
  about: 'a long task across a compaction',
  prompt:
    `Start with notes/${rooms[0]}.txt. Somewhere in it a sentence names one word to remember, and the room to go on with: ` +
    'notes/ROOM.txt. Follow them to the end, reading each note whole. Then write words.txt: all words in the order in which you found them, one a line.',
  mode: 'accept-edits',
  contextWindow: 20_000,
  files: Object.fromEntries(rooms.map((room, at) => [`notes/${room}.txt`, note(at)])),
  check: (outcome) => [
    ...keeps(outcome, ['words.txt']),
    ...hasText(outcome, 'words.txt', `${words.join('\n')}\n`),
    ...(outcome.compactions > 0 ? [] : ['The conversation was never compacted.']),
  ],
};
