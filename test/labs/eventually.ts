import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 50;
const patienceMs = 90_000;

/** Reads a value repeatedly until it is accepted, and returns it. Throws with the last value when time is over. */
export async function eventually<Value>(
  read: () => Value | Promise<Value>,
  accept: (value: Value) => boolean,
): Promise<Value> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > giveUpAt)
      throw new Error(`the expected value did not come in time; the last value was ${JSON.stringify(value)}`);
    await sleep(pollMs);
  }
}
