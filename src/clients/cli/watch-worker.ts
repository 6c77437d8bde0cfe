import type { HoldfastClient } from '../client/index.ts';
import type { TurnPrinter } from './turn-printer.ts';

/** The time between two checks, and how long a turn may have no event before the API is asked for a worker, in milliseconds. */
const lookMs = 1000;
const silentMs = 2500;

/** Watches a turn that is shown to a person. */
export interface WorkerWatch {
  /** To be called for each event: the turn makes progress. */
  heard: () => void;
  stop: () => void;
}

/** Prints a notice when a turn makes no progress because no worker runs, and when one runs again. */
export function watchWorker(client: HoldfastClient, printer: Pick<TurnPrinter, 'notice'>): WorkerWatch {
  let heardAt = Date.now();
  let isMissing = false;
  let isAsking = false;

  const look = async () => {
    const { worker } = await client.health.ready({ timeoutMs: 2000 });
    if (worker !== isMissing) return;
    isMissing = !worker;
    printer.notice(
      isMissing
        ? '(no worker runs: the turn waits until one is started, for example with "npx holdfast worker")'
        : '(a worker runs again)',
    );
  };
  const timer = setInterval(() => {
    if (isAsking || (!isMissing && Date.now() - heardAt < silentMs)) return;
    isAsking = true;
    look()
      // An API that does not answer is noticed by the stream of events.
      .catch(() => undefined)
      .finally(() => (isAsking = false));
  }, lookMs);
  const heard = () => {
    heardAt = Date.now();
    // The turn continues, so a line about a worker that runs again would only interrupt the answer.
    isMissing = false;
  };
  return { heard, stop: () => clearInterval(timer) };
}
