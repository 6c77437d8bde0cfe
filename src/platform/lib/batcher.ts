/** Asks for something that is done together with what others ask for. An urgent request does not wait for them. */
export type Batcher<Request, Result> = (request: Request, isUrgent?: boolean) => Promise<Result>;

interface BatcherOptions<Request, Result> {
  /** Does all that was asked for, and returns the results in the order of the requests. When it rejects, all of them do. */
  run: (requests: Request[]) => Promise<readonly Result[]>;
  /** The shortest time from one run to the next that is not urgent, in milliseconds. */
  pauseMs: number;
}

/**
 * Collects requests, so that their cost goes by time and not by their number. One that comes after a pause runs at once; one run
 * ends before the next begins, which takes all that has come since.
 */
export function createBatcher<Request, Result>({
  run,
  pauseMs,
}: BatcherOptions<Request, Result>): Batcher<Request, Result> {
  let waiting: { request: Request; result: PromiseWithResolvers<Result> }[] = [];
  let isRunning = false;
  let isHurried = false;
  let timer: NodeJS.Timeout | undefined;
  let startedAt = -Infinity;

  function schedule(): void {
    if (isRunning || waiting.length === 0) return;
    if (isHurried) clearTimeout(timer);
    if (isHurried) timer = setTimeout(start, 0);
    else timer ??= setTimeout(start, Math.max(0, startedAt + pauseMs - performance.now()));
  }

  function start(): void {
    const taken = waiting;
    waiting = [];
    timer = undefined;
    [isRunning, isHurried] = [true, false];
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
    isHurried ||= isUrgent;
    schedule();
    return result.promise;
  };
}
