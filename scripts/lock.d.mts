/** Runs `work` while holding the lock `directory`; waits for its owner, and takes over from a dead one. */
export function withLock<Result>(
  directory: string,
  reason: string,
  work: () => Result | Promise<Result>,
): Promise<Result>;

/** Takes the lock `directory`, also from a dead owner; otherwise returns the process id of the living owner. */
export function takeLock(
  directory: string,
): { release: () => void; owner?: undefined } | { release?: undefined; owner: number };

/** Names a process beyond its id, which the system gives out again: its id and when it was started. */
export function identifyProcess(pid: number): string;

/** Whether the process that {@link identifyProcess} named is still there. */
export function isSameProcess(identity: string): boolean;
