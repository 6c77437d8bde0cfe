import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 50;
const patienceMs = 90_000;

/** Reads again and again until what is read is accepted, and returns it; fails with what was read last. */
export async function eventually<Value>(
  read: () => Value | Promise<Value>,
  accept: (value: Value) => boolean,
): Promise<Value> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > giveUpAt)
      throw new Error(`what was waited for did not come; at last there was ${JSON.stringify(value)}`);
    await sleep(pollMs);
  }
}
