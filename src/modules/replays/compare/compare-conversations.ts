import type { Database } from '../../../platform/database/connect-database.ts';
import { createComparisonRepository, type Ancestor, type ComparedTurn } from './comparison-repository.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import { conversationNotFound } from '../../turns/turn-rows.ts';
import type { Viewer } from '../../../domain/actor.ts';
import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import {
  callAnswers,
  passRuleSchema,
  type CallAnswer,
  type Comparison,
  type ReplayRun,
} from '../../../domain/replay.ts';
import type { RecordedAnswer } from '../../../domain/turn.ts';
import { compareRuns } from './compare-runs.ts';
import { findForkPoint } from './find-fork-point.ts';
import { toOriginalTurn } from '../recorded/original-turn.ts';

/** The maximum number of turns of each conversation that are compared. */
const comparedTurns = 100;

/** Two conversations that begin in the same way. */
interface ComparisonRequest {
  conversationId: string;
  /** The conversation that the other one is compared with. */
  originalId: string;
}

type Side = ReplayRun & { conversationId: string };

/** The turns of two conversations after their fork point, and how they compare. */
export interface ComparedConversations {
  original: Side;
  run: Side;
  comparison: Comparison;
}

/**
 * Compares a fork with its parent or with another fork, as a replay compares a run with the recorded one.
 * @throws HoldfastError `NOT_FOUND`, `TURN_RUNNING`, or `INVALID_INPUT` for conversations that have nothing in common
 */
export async function compareConversations(
  { database }: { database: Pick<Database, 'transact'> },
  viewer: Viewer,
  { conversationId, originalId }: ComparisonRequest,
): Promise<ComparedConversations> {
  const [originalTurns, turns] = await database.transact(toRowScope(viewer), async (query) => {
    const comparisons = createComparisonRepository(query);
    const line = checkFound(await comparisons.listAncestors(conversationId), conversationId);
    const originalLine = checkFound(await comparisons.listAncestors(originalId), originalId);
    const parting = findForkPoint(originalLine, line);
    if (!parting) throw nothingInCommon(originalId);
    const [originalFrom, from] = parting;
    return [
      await comparisons.listTurns({ conversationId: originalId, from: originalFrom, most: comparedTurns }),
      await comparisons.listTurns({ conversationId, from, most: comparedTurns }),
    ];
  });
  const original = { conversationId: originalId, turns: originalTurns.map(toSettledTurn) };
  const run = { conversationId, turns: turns.map(toSettledTurn) };
  return { original, run, comparison: compareRuns(original, run, passRuleSchema.parse({})) };
}

function checkFound(line: Ancestor[], id: string): Ancestor[] {
  if (line[0]?.isDeleted !== false) throw conversationNotFound(id);
  return line;
}

function nothingInCommon(originalId: string): HoldfastError {
  const message = `expected a fork of this conversation, its parent or a fork of that one, found ${originalId}`;
  return createInvalidInput([{ field: 'with', message }]);
}

function toSettledTurn({ turn, model, message, answers }: ComparedTurn): ReplayRun['turns'][number] {
  if (turn.outcome === null)
    throw new HoldfastError('TURN_RUNNING', 'A turn is not over. Compare the conversations after its end.', {
      details: { turnId: turn.id },
    });
  const calls = answers.flatMap(({ toolCalls }) => toolCalls ?? []);
  const compared = toOriginalTurn(
    {
      ...{ turn, message, version: { model } },
      answers: answers.map((answer) => ({
        ...answer,
        toolCalls:
          answer.toolCalls?.map((call) => ({ ...call, answeredBy: toCallAnswer(call.answeredBy) })) ?? null,
      })),
    },
    {},
  );
  return calls.some(({ answeredBy }) => answeredBy === 'missed')
    ? { ...compared, outcome: 'missed' }
    : compared;
}

/** Copies count as calls that ran. */
function toCallAnswer(answeredBy: RecordedAnswer | null): CallAnswer | null {
  return callAnswers.find((answer) => answer === answeredBy) ?? null;
}
