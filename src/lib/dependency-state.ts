import { findErrorCode, isDiskFull } from './database-outage.ts';

type Write = (fields: object, message: string) => void;

interface DependencyStateOptions {
  /** The name of the dependency in the log, such as `Postgres`. */
  name: string;
  logger: { error: Write; warn: Write };
  /** How long no call may fail before a dependency counts as back, in milliseconds. @default 1000 */
  settleMs?: number;
}

/** Writes one line to the log for each change of the state of a dependency, however many calls fail. */
export interface DependencyState {
  /** Tells that a call failed because the dependency is away. Logs the first failure, and a change of its kind. */
  failed: (error: unknown) => void;
  /** Tells that a call succeeded. Logs that the dependency is back once no call has failed for `settleMs`. */
  recovered: () => void;
}

/** Follows the state of one dependency of a process, which counts as reachable at first. */
export function createDependencyState({
  name,
  logger,
  settleMs = 1000,
}: DependencyStateOptions): DependencyState {
  let outage: { message: string; since: number } | undefined;
  let settling: NodeJS.Timeout | undefined;

  const stopSettling = () => {
    clearTimeout(settling);
    settling = undefined;
  };
  const end = (at: number) => {
    if (outage) logger.warn({ awayMs: at - outage.since }, `${name} is back`);
    outage = undefined;
    settling = undefined;
  };

  return {
    failed: (error) => {
      stopSettling();
      const message = isDiskFull(error) ? `the disk of ${name} is full` : `${name} cannot be reached`;
      if (outage?.message === message) return;
      outage = { message, since: outage?.since ?? Date.now() };
      logger.error({ code: findErrorCode(error), reason: toReason(error) }, message);
    },
    recovered: () => {
      // While some calls succeed and others fail, each success would otherwise be logged as an end of the outage.
      if (outage && !settling) settling = setTimeout(end, settleMs, Date.now()).unref();
    },
  };
}

/** Returns the message of an error. Node reports a host with several addresses as one error without a message. */
function toReason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(toReason).join('; ');
  return error instanceof Error ? error.message : String(error);
}
