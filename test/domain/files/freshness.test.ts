import { describe, expect, it } from 'vitest';
import { FreshnessRecord } from '../../../domain/files/freshness.ts';

describe('freshness', () => {
  it('knows what was read by its content', async () => {
    const record = new FreshnessRecord();
    await record.saw('/p/a', 'one');
    expect(await record.check('/p/a', 'one')).toBe('fresh');
    expect(await record.check('/p/a', 'two')).toBe('changed');
    expect(await record.check('/p/b', 'one')).toBe('not_read');
    await record.saw('/p/a', 'two');
    expect(await record.check('/p/a', 'two')).toBe('fresh');
  });

  it('gives out what is new once, and takes it over again after a resume', async () => {
    const record = new FreshnessRecord();
    await record.saw('/p/a', 'one');
    await record.saw('/p/a', 'two');
    await record.saw('/p/b', 'x');
    const { seen } = record.drain();
    expect(seen).toEqual({ '/p/a': 'two', '/p/b': 'x' });
    expect(record.drain()).toEqual({});
    const resumed = new FreshnessRecord(seen);
    expect(await resumed.check('/p/a', 'two')).toBe('fresh');
    expect(resumed.drain()).toEqual({});
  });
});
