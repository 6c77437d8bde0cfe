import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPartFiles } from '../../../src/modules/files/create-part-files.ts';

test('few documents are in memory at the same time, whatever many of them a message names', async () => {
  let held = 0;
  let most = 0;
  const partFiles = createPartFiles({
    // No text was stored before.
    database: { pipelined: (_workspaceId, run) => Promise.resolve(run(() => Promise.resolve([]))) },
    readFile: async () => {
      held += 1;
      most = Math.max(most, held);
      await setImmediate();
      return { name: 'a.txt', mediaType: 'text/plain', bytes: new Uint8Array(1) };
    },
    readText: async () => {
      await setImmediate();
      held -= 1;
      return 'text';
    },
  });
  const { signal } = new AbortController();
  const facts = { name: 'a.txt', mediaType: 'text/plain', size: 1, pages: null, width: null, height: null };
  const texts = await Promise.all(
    Array.from({ length: 32 }, (_, index) =>
      partFiles.readText({ workspaceId: 'w', file: { id: `f${index}`, ...facts }, signal }),
    ),
  );
  expect(texts.map((text) => text?.text)).toEqual(Array.from({ length: 32 }, () => 'text'));
  expect(most).toBe(2);
});
