/** Asks for something that is done together with what others ask for. An urgent request waits for them for a shorter time. */
export type Batcher<Request, Result> = (request: Request, isUrgent?: boolean) => Promise<Result>;

interface BatcherOptions<Request, Result> {
  /** Does all that was asked for, and returns the results in the order of the requests. When it rejects, all of them do. */
  run: (requests: Request[]) => Promise<readonly Result[]>;
  /** The shortest time from one run to the next that is not urgent, in milliseconds. */
  pauseMs: number;
  /** The shortest time from one run to the next that is urgent, in milliseconds. @default 0 */
  urgentPauseMs?: number;
}

/**
 * Collects requests, so that their cost goes by time and not by their number. One that comes after a pause runs at once; one run
 * ends before the next begins, which takes all that has come since.
 */
export function createBatcher<Request, Result>({
  run,
  pauseMs,
  urgentPauseMs = 0,
}: BatcherOptions<Request, Result>): Batcher<Request, Result> {
  let waiting: { request: Request; result: PromiseWithResolvers<Result> }[] = [];
  let isRunning = false;
  let isUrgentWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  let startedAt = -Infinity;

  /** Called for each request that may start a run earlier than the ones before it. */
  function schedule(): void {
    if (isRunning || waiting.length === 0) return;
    clearTimeout(timer);
    const pause = isUrgentWaiting ? urgentPauseMs : pauseMs;
    timer = setTimeout(start, Math.max(0, startedAt + pause - performance.now()));
  }

  function start(): void {
    const taken = waiting;
    waiting = [];
    timer = undefined;
    [isRunning, isUrgentWaiting] = [true, false];
    startedAt = performance.now();
    void runAll(taken).then(() => {
      isRunning = false;
      schedule();
    });
  }

  async function runAll(taken: typeof waiting): Promise<void> {
    try {
      const results = await run(taken.map(({ request }) => request));
      for (const [index, { result }] of taken.entries()) result.resolve(results[index] as Result);
    } catch (error) {
      for (const { result } of taken) result.reject(error);
    }
  }

  return (request, isUrgent = false) => {
    const result = Promise.withResolvers<Result>();
    waiting.push({ request, result });
    if (waiting.length === 1 || (isUrgent && !isUrgentWaiting)) {
      isUrgentWaiting ||= isUrgent;
      schedule();
    }
    return result.promise;
  };
}
