import { setTimeout as sleep } from 'node:timers/promises';
import { describeEnding, type ManagedProcess } from './processes.ts';

const readyTimeoutMs = 120_000;
const pollMs = 50;

/**
 * Waits until a process sends the message `{ type: 'ready' }`.
 * @throws Error when it ends before that, or does not send the message in time
 */
export async function waitForMessage(managed: ManagedProcess): Promise<void> {
  const ready = new Promise<void>((resolve) => {
    managed.child.on('message', (message) => {
      if (typeof message === 'object' && 'type' in message && message.type === 'ready') resolve();
    });
  });
  const ended = managed.exited.then((ending) => {
    throw new Error(`${managed.name} ended with ${describeEnding(ending)} while it started.`);
  });
  const timeout = new AbortController();
  const late = sleep(readyTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`${managed.name} is not ready after ${readyTimeoutMs / 1000} s.`);
  });
  try {
    await Promise.race([ready, ended, late]);
  } finally {
    timeout.abort();
    for (const promise of [ended, late]) promise.catch(() => undefined);
  }
}

/**
 * Waits until an address of a process answers with an accepted status.
 * @throws Error when the process ends before that, or no such answer comes in time
 */
export async function waitForHttp(
  url: string,
  managed: ManagedProcess,
  isGood: (status: number) => boolean = (status) => status === 200,
): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  let status = 0;
  while (!isGood(status)) {
    const ending = managed.ending();
    if (ending !== undefined) {
      throw new Error(`${managed.name} ended with ${describeEnding(ending)} while it started.`);
    }
    if (Date.now() > deadline) throw new Error(`${url} is not ready after ${readyTimeoutMs / 1000} s.`);
    await sleep(pollMs);
    status = await requestStatus(url);
  }
}

/** Returns the status of the answer, 0 when none came. */
async function requestStatus(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
