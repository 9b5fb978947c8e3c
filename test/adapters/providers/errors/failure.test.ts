import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../../adapters/providers/errors/failure.ts';

describe('readFailure', () => {
  it.each([
    [
      { status: 400, error: 'Bad Request', message: 'the prompt is too long' },
      'Bad Request: the prompt is too long',
    ],
    [{ error: 'slow', detail: 'try again in 3s' }, 'slow: try again in 3s'],
    [{ error: 'busy now', message: 'busy' }, 'busy now'],
    [{ error: { message: 'inner' }, message: 'outer' }, 'inner'],
    [{ title: 'Forbidden', detail: 'Authorization failed' }, 'Authorization failed'],
    [{ errors: [{ message: 'no route' }] }, '[{"message":"no route"}]'],
  ])('says what a server says: %j', (body, message) => {
    expect(readFailure(JSON.stringify(body)).message).toBe(message);
  });

  it('reads a body that begins with a byte order mark', () => {
    expect(readFailure('\uFEFF{"error":{"message":"m","code":"insufficient_quota"}}')).toMatchObject({
      message: 'm',
      code: 'insufficient_quota',
    });
  });
});
