import type { ChangeWatchRepository } from './change-watch-repository.ts';

/** Wakes the readers of the changes of a workspace. */
export interface ChangeWatch {
  /** Calls `wake` when there may be changes in the workspace; the returned function ends that. */
  onChanges: (workspaceId: string, wake: () => void) => () => void;
}

interface WatchOptions {
  repository: Pick<ChangeWatchRepository, 'listChanged'>;
  /** How often changes are looked for, in milliseconds. @default 500 */
  pollMs?: number;
}

/**
 * Looks for changes in the workspaces of all readers of this process with one query, and with none while there is no reader.
 * Notifications of Postgres would be sent in the transactions of turns, which they slow down.
 */
export function watchChanges({ repository, pollMs = 500 }: WatchOptions): ChangeWatch {
  const readers = new Map<string, Set<() => void>>();
  /** Null when it is not known which changes readers have: then all of them look. */
  let seen: string | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    try {
      const { snapshot, workspaceIds } = await repository.listChanged(seen, [...readers.keys()]);
      const changed = seen === null ? [...readers.keys()] : workspaceIds;
      seen = snapshot;
      for (const id of changed) readers.get(id)?.forEach((wake) => wake());
    } catch {
      // While the database is unreachable there is nothing to read. After a crash of Postgres notes are missing.
      seen = null;
    }
  }

  function scheduleLook(): void {
    timer ??= setTimeout(() => {
      void look().finally(() => {
        timer = undefined;
        if (readers.size > 0) scheduleLook();
        else seen = null;
      });
    }, pollMs).unref();
  }

  return {
    onChanges: (workspaceId, wake) => {
      const wakes = readers.get(workspaceId) ?? new Set();
      readers.set(workspaceId, wakes.add(wake));
      scheduleLook();
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0) readers.delete(workspaceId);
      };
    },
  };
}
