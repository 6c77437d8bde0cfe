import { expect, test } from 'vitest';
import { createDocumentReader } from '../../../src/modules/knowledge/reading/read-in-thread.ts';
import { collectGarbage } from '../../labs/collect-garbage.ts';

const chunking = { maxCharacters: 800, overlapCharacters: 0 };

test('a document whose reader is told to stop while it waits is not kept until its turn comes', async () => {
  const reader = createDocumentReader({ threads: 1 });
  const running = new AbortController();
  const slow = new TextEncoder().encode('<p>a'.repeat(400_000));
  const first = reader({ bytes: slow, mediaType: 'text/html', chunking }, running.signal);
  const second = await waitAndStop(reader);
  await collectGarbage();

  expect(second.deref()).toBeUndefined();
  running.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
});

/** Lets a document wait for the only thread, stops its reader, and returns a reference that does not keep the bytes. */
async function waitAndStop(reader: ReturnType<typeof createDocumentReader>): Promise<WeakRef<Uint8Array>> {
  const bytes = new Uint8Array(1024 * 1024);
  const stop = new AbortController();
  const reading = reader({ bytes, mediaType: 'text/plain', chunking }, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(reading).rejects.toThrow('stopped');
  return new WeakRef(bytes);
}
