import { findErrorCode, isDiskFull } from './database-outage.ts';

type Write = (fields: object, message: string) => void;

interface DependencyStateOptions {
  /** The name of the dependency in the log, such as `Postgres`. */
  name: string;
  logger: { error: Write; warn: Write };
  /** Called every `settleMs` while the dependency is unreachable; it is back when this resolves. @default no such calls */
  probe?: () => PromiseLike<unknown>;
  /** How long no call may fail before the dependency counts as back, in milliseconds. @default 1000 */
  settleMs?: number;
  /** The same after a full disk, where calls that only read succeed all the time. @default 60 000 */
  diskSettleMs?: number;
}

/** Writes one line to the log for each change of the state of a dependency, however many calls fail. */
export interface DependencyState {
  /** Reports that a call failed because the dependency is unreachable. Logs the first failure, and a change of its kind. */
  failed: (error: unknown) => void;
  /** Reports that a call succeeded. Logs that the dependency is back once no call has failed for `settleMs`. */
  recovered: () => void;
  /** Ends the probes. */
  close: () => Promise<void>;
}

interface Outage {
  message: string;
  since: number;
  settleMs: number;
}

/** Follows the state of one dependency of a process, which counts as reachable at first. */
export function createDependencyState(options: DependencyStateOptions): DependencyState {
  const { name, logger, probe, settleMs = 1000, diskSettleMs = 60_000 } = options;
  let outage: Outage | undefined;
  let settling: NodeJS.Timeout | undefined;
  let probing: NodeJS.Timeout | undefined;

  const end = (at: number): void => {
    if (outage) logger.warn({ awayMs: at - outage.since }, `${name} is back`);
    outage = undefined;
    settling = undefined;
    probing = undefined;
  };
  const recovered = (): void => {
    // While some calls succeed and others fail, each success would otherwise be logged as an end of the outage.
    if (outage && !settling) settling = setTimeout(end, outage.settleMs, Date.now()).unref();
  };
  const failed = (error: unknown): void => {
    clearTimeout(settling);
    settling = undefined;
    const isFull = isDiskFull(error);
    const message = isFull ? `the disk of ${name} is full` : `${name} cannot be reached`;
    if (outage?.message === message) return;
    const since = outage?.since ?? Date.now();
    outage = { message, since, settleMs: isFull ? diskSettleMs : settleMs };
    logger.error({ code: findErrorCode(error), reason: toReason(error) }, message);
    if (probe) probing ??= setTimeout(ask, settleMs, probe).unref();
  };
  const ask = (ping: () => PromiseLike<unknown>): void => {
    void Promise.resolve(ping())
      .then(recovered, failed)
      .finally(() => {
        if (probing && outage) probing = setTimeout(ask, settleMs, ping).unref();
      });
  };
  const close = (): Promise<void> => {
    for (const timer of [settling, probing]) clearTimeout(timer);
    outage = undefined;
    probing = undefined;
    return Promise.resolve();
  };
  return { failed, recovered, close };
}

/** Returns the message of an error. Node reports a host with several addresses as one error without a message. */
function toReason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(toReason).join('; ');
  return error instanceof Error ? error.message : String(error);
}
