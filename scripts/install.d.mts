/** Installs the packages of `root` when they are missing or stale; only one process does so at a time. */
export function ensureInstalled(root: string): Promise<void>;

/** Whether node_modules holds what package-lock.json asks for, the pinned Node included. */
export function isFresh(root: string): boolean;

/** The hash of package-lock.json that a finished install leaves behind. */
export function lockHash(root: string): string;
