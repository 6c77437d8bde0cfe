import type { Viewer } from '../../domain/actor.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import type { Database } from '../../platform/database/connect-database.ts';
import type { KeepAlive } from '../turns/follow/delivery.ts';
import type { OpenStreams, StreamOwner } from '../turns/follow/open-streams.ts';
import { createWakeSignal, type WakeSignal } from '../turns/follow/wake-signal.ts';
import { defaultTimings, type StreamTimings } from '../turns/turn-dependencies.ts';
import { listReadableTypes, type ChangeEvent } from './change.ts';
import type { ChangeCursor } from './change-cursor.ts';
import { createChangeRepository, type ChangeRead } from './change-repository.ts';
import type { ChangeWatch } from './watch-changes.ts';

/** Everything that streams of changes need from outside. */
export interface ChangeDependencies {
  database: Pick<Database, 'forStreams'>;
  changeWatch: ChangeWatch;
  openStreams: OpenStreams;
  timings?: Partial<StreamTimings>;
}

/** An event for a reader, and the position of a reader that has it. */
export interface ChangeDelivery {
  cursor: ChangeCursor;
  event: ChangeEvent;
}

/** A reader that continues after a position, or begins now, until `signal` aborts. */
interface ChangeReader {
  after: ChangeCursor | undefined;
  signal: AbortSignal;
}

/**
 * Follows what an actor may read of the changes in its workspace, for as long as the reader stays and its API key is valid.
 * Each change is delivered once. The first event is `reset` when the reader gives no position, or one from which the changes
 * are not known any more. Yields `keep-alive` after each `keepAliveMs` without an event.
 * @throws HoldfastError `TOO_MANY_STREAMS`
 */
export function followChanges(
  dependencies: ChangeDependencies,
  actor: StreamOwner,
  { after, signal: reader }: ChangeReader,
): AsyncGenerator<ChangeDelivery | KeepAlive> {
  const { changeWatch, openStreams, timings } = dependencies;
  const signal = openStreams.open(actor, reader);
  const wakeSignal = createWakeSignal(signal);
  // Listens before the first read, so that no change falls between the two.
  const stopListening = changeWatch.onChanges(actor.workspaceId, wakeSignal.notify);
  signal.addEventListener('abort', stopListening, { once: true });
  if (signal.aborted) stopListening();
  const { keepAliveMs } = { ...defaultTimings, ...timings };
  return deliver(createReads(dependencies, actor, after), { wakeSignal, signal, keepAliveMs });
}

/** Returns a function that reads what is new since its last call. */
function createReads(
  { database }: Pick<ChangeDependencies, 'database'>,
  actor: Viewer,
  after: ChangeCursor | undefined,
): () => Promise<ChangeRead> {
  const what = { types: listReadableTypes(actor), person: actor.actsFor ?? null };
  let cursor = after;
  return async () => {
    const read = await database.forStreams.pipelined(toRowScope(actor), (query) =>
      createChangeRepository(query).readChanges(cursor, what),
    );
    ({ cursor } = read);
    return read;
  };
}

interface Waiting {
  wakeSignal: WakeSignal;
  signal: AbortSignal;
  keepAliveMs: number;
}

async function* deliver(
  readNext: () => Promise<ChangeRead>,
  { wakeSignal, signal, keepAliveMs }: Waiting,
): AsyncGenerator<ChangeDelivery | KeepAlive> {
  let sentAt = performance.now();
  for (let isNotified = true; !signal.aborted;) {
    const event = isNotified ? await readNext().then(toDelivery) : 'keep-alive';
    if (event !== null) {
      yield event;
      sentAt = performance.now();
    }
    isNotified = await wakeSignal.wait(Math.max(0, sentAt + keepAliveMs - performance.now()));
  }
}

function toDelivery({ cursor, isComplete, changes }: ChangeRead): ChangeDelivery | null {
  if (!isComplete) return { cursor, event: { type: 'reset' } };
  return changes.length === 0 ? null : { cursor, event: { type: 'changes', changes } };
}
