import { hasText, keeps } from '../checks.mjs';

const prices = ['4.20', '19.80', '7.50', '12.00', '31.40'];
const wrong = 'A-2417';

function article(number, correct) {
  const id = `A-${2001 + number}`;
  const price = id !== wrong ? prices[number % prices.length] : correct ? '17.35' : '19.80';
  const size = ['small', 'large'][number % 2];
  return ['  {', `    id: '${id}',`, `    name: 'Bolt, ${size}',`, `    price: ${price},`, '  },'];
}

/** 3,000 lines; a price as wrong as this one is right in a hundred other places. */
const articles = (correct) =>
  [
    '// The articles of the shop.',
    '',
    'export const articles = [',
    ...Array.from({ length: 599 }, (_, number) => article(number, correct)).flat(),
    '];',
    "export const currency = 'EUR';",
    '',
  ].join('\n');

/** The right one of many places that look alike, in a file too long to be read whole. */
export const largeFile = {
  name: 'large-file',
  about: 'a change in a file of 3,000 lines',
  prompt: `In src/articles.mjs the price of the article ${wrong} is wrong. It is 17.35; correct it.`,
  mode: 'accept-edits',
  files: {
    'package.json': '{ "name": "shop", "type": "module" }\n',
    'src/articles.mjs': articles(false),
  },
  check: (outcome) => [
    ...keeps(outcome, ['src/articles.mjs']),
    ...hasText(outcome, 'src/articles.mjs', articles(true)),
  ],
};
