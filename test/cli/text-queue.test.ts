import { describe, expect, it } from 'vitest';
import { createTextQueue } from '../../src/cli/text-queue.ts';

describe('createTextQueue', () => {
  it('writes in order, and in one piece what gathers while a write is under way', async () => {
    const written: string[] = [];
    const queue = createTextQueue(
      {
        async write(text) {
          await new Promise((resolve) => setImmediate(resolve));
          written.push(text);
        },
      },
      () => {},
    );
    for (const text of ['a', 'b', '', 'c']) queue.add(text);
    await queue.drained();
    queue.add('d');
    await queue.drained();
    expect(written).toEqual(['a', 'bc', 'd']);
  });

  it('tells once that the output failed, drops the rest, and rejects with the reason', async () => {
    let failures = 0;
    let writes = 0;
    const queue = createTextQueue(
      {
        write: () => {
          writes += 1;
          return Promise.reject(new Error('broken'));
        },
      },
      () => {
        failures += 1;
      },
    );
    queue.add('a');
    queue.add('b');
    await expect(queue.drained()).rejects.toThrow('broken');
    queue.add('c');
    await expect(queue.drained()).rejects.toThrow('broken');
    expect({ failures, writes }).toEqual({ failures: 1, writes: 1 });
  });
});
