/**
 * Asks for something that is done together with what others ask for. The next run begins when the least `pauseMs` of those that wait
 * has passed since the run before.
 */
export type Batcher<Request, Result> = (request: Request, pauseMs?: number) => Promise<Result>;

interface BatcherOptions<Request, Result> {
  /** Does all that was asked for, and returns the results in the order of the requests. When it rejects, all of them do. */
  run: (requests: Request[]) => Promise<readonly Result[]>;
  /** The least time from one run to the next, in milliseconds, for requests that name none. */
  pauseMs: number;
}

/**
 * Collects requests, so that their cost goes by time and not by their number. One that comes after a pause runs at once; one run
 * ends before the next begins, which takes all that has come since.
 */
export function createBatcher<Request, Result>({
  run,
  pauseMs: usualPauseMs,
}: BatcherOptions<Request, Result>): Batcher<Request, Result> {
  let waiting: { request: Request; result: PromiseWithResolvers<Result> }[] = [];
  let isRunning = false;
  /** The least pause that a waiting request has asked for. */
  let leastPauseMs = Infinity;
  let timer: NodeJS.Timeout | undefined;
  let startedAt = -Infinity;

  /** Called for each request that may start a run earlier than the ones before it. */
  function schedule(): void {
    if (isRunning || waiting.length === 0) return;
    clearTimeout(timer);
    timer = setTimeout(start, Math.max(0, startedAt + leastPauseMs - performance.now()));
  }

  function start(): void {
    const taken = waiting;
    waiting = [];
    timer = undefined;
    [isRunning, leastPauseMs] = [true, Infinity];
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

  return (request, pauseMs = usualPauseMs) => {
    const result = Promise.withResolvers<Result>();
    waiting.push({ request, result });
    if (pauseMs < leastPauseMs) {
      leastPauseMs = pauseMs;
      schedule();
    }
    return result.promise;
  };
}
