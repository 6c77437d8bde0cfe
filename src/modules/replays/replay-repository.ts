import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import type { ErrorInfo } from '../../domain/errors.ts';
import type { Replay, ReplayInput, ReplayStatus } from '../../domain/replay.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import {
  replayColumns,
  replayNotFound,
  toMadeReplay,
  toReplay,
  type MadeReplay,
  type ReplayRow,
} from './replay-rows.ts';

interface NewReplay {
  id: string;
  input: ReplayInput;
  startedBy: ActorRef;
  /** @default null: no schedule has started it */
  changedBy: ActorRef | null;
}

/** How a replay ended. */
export interface ReplayEnd {
  replayId: string;
  status: Exclude<ReplayStatus, 'running' | 'paused'>;
  summary: object | null;
  error: ErrorInfo | null;
}

/** Stores a new replay. */
export async function insertReplay(
  trx: Knex,
  { id, input, startedBy, changedBy }: NewReplay,
): Promise<Replay> {
  const [row] = await trx('replays')
    .insert({
      ...{ id, name: input.name, input: toStorableJson(input) },
      ...{ started_by: toStorableJson(startedBy), changed_by: changedBy && toStorableJson(changedBy) },
    })
    .returning<ReplayRow[]>(replayColumns.split(', '));
  if (!row) throw new Error('an inserted replay did not come back');
  return toReplay(row);
}

/** Replays as their callers see them: read, paused and ended. */
export function createReplayRepository(query: Query) {
  const one = async (rows: Promise<ReplayRow[]>, id: string): Promise<Replay> => {
    const [row] = await rows;
    if (!row) throw replayNotFound(id);
    return toReplay(row);
  };
  return {
    /** @throws HoldfastError `NOT_FOUND` */
    getReplay: (replayId: string): Promise<Replay> => one(query(findReplay, { replayId }), replayId),

    /** @throws HoldfastError `NOT_FOUND` */
    getMade: async (replayId: string): Promise<MadeReplay> => {
      const [row] = await query(findReplay, { replayId });
      if (!row) throw replayNotFound(replayId);
      return toMadeReplay(row);
    },

    /** The stored summary of a replay that has ended; null before. */
    findSummary: async (replayId: string): Promise<object | null> => {
      const [row] = await query(findSummary, { replayId });
      return row?.summary ?? null;
    },

    /** Newest first; `cursor` is the id of the last replay of the page before. */
    listReplays: async ({ cursor, limit }: PageRequest): Promise<Page<Replay>> =>
      toPage(await query(listReplays, { cursor: cursor ?? null, most: limit + 1 }), limit, toReplay),

    /** Changes the status of a replay that has one of these. Null when it has another one. */
    setStatus: async (replayId: string, from: ReplayStatus[], to: ReplayStatus): Promise<Replay | null> => {
      const [row] = await query(setStatus, { replayId, from: JSON.stringify(from), to });
      return row ? toReplay(row) : null;
    },

    /** Stores how a replay ended; one that has ended before stays as it is. */
    settleReplay: async ({ replayId, status, summary, error }: ReplayEnd): Promise<void> => {
      await query(settleReplay, {
        ...{ replayId, status },
        summary: summary && toStorableJson(summary),
        error: error && toStorableJson(error),
      });
    },
  };
}

export type ReplayRepository = ReturnType<typeof createReplayRepository>;

const findReplay = defineStatement<{ replayId: string }, ReplayRow>(
  'find_replay',
  `SELECT ${replayColumns} FROM replays WHERE id = :replayId`,
);

const findSummary = defineStatement<{ replayId: string }, { summary: object | null }>(
  'find_replay_summary',
  'SELECT summary FROM replays WHERE id = :replayId',
);

const listReplays = defineStatement<{ cursor: string | null; most: number }, ReplayRow>(
  'list_replays',
  `SELECT ${replayColumns} FROM replays
   WHERE workspace_id = current_workspace() AND (:cursor::uuid IS NULL OR id < :cursor::uuid)
   ORDER BY id DESC LIMIT :most`,
);

const setStatus = defineStatement<{ replayId: string; from: string; to: string }, ReplayRow>(
  'set_replay_status',
  `UPDATE replays SET status = :to, updated_at = now()
   WHERE id = :replayId AND settled_at IS NULL
     AND status = ANY (ARRAY(SELECT jsonb_array_elements_text(:from::jsonb)))
   RETURNING ${replayColumns}`,
);

const settleReplay = defineStatement<
  { replayId: string; status: string; summary: string | null; error: string | null },
  unknown
>(
  'settle_replay',
  `UPDATE replays SET status = :status, summary = :summary::jsonb, error = :error::jsonb, settled_at = now(),
     updated_at = now()
   WHERE id = :replayId AND settled_at IS NULL`,
);
