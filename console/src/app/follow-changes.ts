import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { holdfast } from '../api/client.ts';
import type { ChangeEvent } from '../api/types.ts';

type Change = Extract<ChangeEvent, { type: 'changes' }>['changes'][number];

/** The first parts of the keys of the queries that a change concerns: the noun of what changes itself, and those that show it. */
const nouns: Record<Change['type'], { own?: string; others: readonly string[] }> = {
  agent: { own: 'agents', others: [] },
  turn: { own: 'turns', others: ['conversations'] },
  action: { own: 'actions', others: ['turns'] },
  routine_run: { own: 'routine-runs', others: ['routines'] },
  swarm: { own: 'swarms', others: [] },
  replay: { own: 'replays', others: [] },
  document: { own: 'documents', others: ['knowledge-bases'] },
  schedule_run: { others: ['schedules'] },
  webhook_delivery: { others: ['webhooks'] },
  trigger_delivery: { others: ['triggers'] },
  inbox_message: { own: 'inbox', others: [] },
};

/** How long changes are collected before what they concern is read anew, in milliseconds. */
const collectMs = 1_000;

/**
 * Keeps all that the page shows up to date: what changes in the workspace is read anew, while it is shown. Follows the changes until
 * the signal is aborted; without them the page reads what it shows when it gets old.
 */
export async function followChanges(queries: QueryClient, signal: AbortSignal): Promise<void> {
  let collected: Change[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const changes = collected;
    collected = [];
    timer = undefined;
    void queries.invalidateQueries({ predicate: ({ queryKey }) => isConcerned(queryKey, changes) });
  };
  try {
    for await (const event of holdfast.changes.follow({ signal })) {
      if (event.type === 'reset')
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      else {
        collected.push(...event.changes);
        timer ??= setTimeout(flush, collectMs);
      }
    }
  } catch (error) {
    if (!signal.aborted) console.info('The changes of the workspace are not followed.', error);
  } finally {
    clearTimeout(timer);
  }
}

/** A query of one thing, whose key is `[noun, 'one', id]`, concerns of the changes of its own noun those of this thing alone. */
function isConcerned([noun, kind, id]: QueryKey, changes: readonly Change[]): boolean {
  return changes.some((change) => {
    const { own, others } = nouns[change.type];
    return others.includes(String(noun)) || (noun === own && (kind !== 'one' || id === change.id));
  });
}
