import { hasText, keeps } from '../checks.mjs';

const deployment = (staging) =>
  [
    '; Where the program runs.',
    '[production]',
    'host = app.example.com',
    'timeout = 30',
    'replicas = 4',
    '',
    '[staging]',
    'host = staging.example.com',
    ...staging,
    'replicas = 1',
    '',
  ].join('\r\n');

/** Line ends stay as they are, in the new line too. */
export const crlf = {
  name: 'crlf',
  about: 'a change in a file with CRLF',
  prompt:
    'In deploy.ini, section `staging`: set `timeout` to 45, and add the line `retries = 2` directly below it.',
  mode: 'accept-edits',
  files: { 'deploy.ini': deployment(['timeout = 30']) },
  check: (outcome) => [
    ...keeps(outcome, ['deploy.ini']),
    ...hasText(outcome, 'deploy.ini', deployment(['timeout = 45', 'retries = 2'])),
  ],
};
