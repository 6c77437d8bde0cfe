import type { Viewer } from '../../../domain/actor.ts';
import { authorizeViewer } from '../../../domain/authorize.ts';
import type { TurnModelCall } from '../../../domain/model-call.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import type { ShownCompaction } from '../../../domain/shown-context.ts';
import { toUsage } from '../../credits/usage-columns.ts';
import { createShownContextRepository } from '../context/shown-context-repository.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';
import { createTurnRepository } from '../turn-repository.ts';
import {
  createModelCallListRepository,
  type AnsweredCallRow,
  type CallingTurn,
  type OtherCallEvent,
} from './model-call-list-repository.ts';

/**
 * Lists the model calls of a turn, one for each iteration whose call was answered or has failed.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a run without the right to runs
 */
export async function listModelCalls(
  { database }: Pick<TurnDependencies, 'database'>,
  viewer: Viewer,
  turnId: string,
): Promise<TurnModelCall[]> {
  const [turn, answered, events, compactions, isRun] = await database.pipelined(
    toRowScope(viewer),
    (query) => {
      const calls = createModelCallListRepository(query);
      return Promise.all([
        calls.getTurn(turnId),
        calls.listAnswered(turnId),
        calls.listOtherEvents(turnId),
        createShownContextRepository(query).listCompactionsOfTurn(turnId),
        createTurnRepository(query).isRun(turnId),
      ]);
    },
  );
  if (isRun) authorizeViewer(viewer, 'routines.read');
  return toModelCalls({ turn, answered, events, compactions });
}

interface StoredCalls {
  turn: CallingTurn;
  answered: AnsweredCallRow[];
  events: OtherCallEvent[];
  compactions: ShownCompaction[];
}

function toModelCalls(stored: StoredCalls): TurnModelCall[] {
  const answered = new Map(stored.answered.map((row) => [row.iteration, row]));
  const failed = stored.turn.failedAttempts.filter(({ index }) => index === null);
  const iterations = new Set([
    ...answered.keys(),
    ...failed.map(({ iteration }) => iteration),
    ...stored.compactions.map(({ iteration }) => iteration),
  ]);
  return [...iterations]
    .toSorted((one, other) => one - other)
    .map((iteration) => {
      const before = toBefore(stored, iteration);
      const row = answered.get(iteration);
      const askedModel = before.passed[0]?.model ?? row?.model ?? stored.turn.model;
      return { iteration, askedModel, ...(row ? toAnswered(row) : unanswered), ...before };
    });
}

/** What came before the answer of an iteration. */
function toBefore({ turn, events, compactions }: StoredCalls, iteration: number) {
  const ofIteration = events.filter(({ payload }) => payload.iteration === iteration);
  return {
    failedAttempts: turn.failedAttempts
      .filter((one) => one.iteration === iteration && one.index === null)
      .map(({ attempt, error, failedAt }) => ({ attempt, error, failedAt })),
    passed: ofIteration.flatMap(({ type, payload }) => {
      if (type !== 'model.passed') return [];
      const { model, next, error } = payload;
      return [{ model, next, error }];
    }),
    cutShort: ofIteration.flatMap(({ type, payload }) => {
      if (type !== 'model.cut_short') return [];
      const { model, usage } = payload;
      return [{ model, usage }];
    }),
    compactions: compactions.filter((one) => one.iteration === iteration),
  };
}

type AnswerFields = Omit<TurnModelCall, 'iteration' | 'askedModel' | keyof ReturnType<typeof toBefore>>;

function toAnswered(row: AnsweredCallRow): AnswerFields {
  return {
    status: row.refused ? 'rejected' : 'answered',
    model: row.model,
    answeredBy: row.answered_by,
    startedAt: row.started_at?.toISOString() ?? null,
    durationMs: row.duration_ms,
    storedAt: row.created_at.toISOString(),
    messageId: row.message_id,
    finishReason: row.finish_reason,
    toolChoice: row.tool_choice,
    sampling: row.sampling,
    leftOutTools: row.left_out ?? [],
    usage: toUsage(row),
    credits: row.credits,
    rejectedFor: row.refused?.errors ?? null,
  };
}

const unanswered: AnswerFields = {
  status: 'unanswered',
  model: null,
  answeredBy: null,
  startedAt: null,
  durationMs: null,
  storedAt: null,
  messageId: null,
  finishReason: null,
  toolChoice: null,
  sampling: null,
  leftOutTools: [],
  usage: null,
  credits: null,
  rejectedFor: null,
};
