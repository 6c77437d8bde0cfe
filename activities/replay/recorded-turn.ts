import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ContextMessage } from '../../src/domain/model-context.ts';
import { toModelCostUsd } from '../../src/domain/price-table.ts';
import type { Prices } from '../../src/domain/prices.ts';
import type { ReplayedTurn } from '../../src/domain/replay.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { Turn } from '../../src/domain/turn.ts';
import type { RecordedCall } from '../../src/replays/recorded-calls.ts';
import { toolTargetOf } from '../../src/tools/tool-target.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';

/** A turn as it was recorded, with the messages that its model calls have seen. */
export interface RecordedTurn {
  turn: Turn;
  version: AgentVersion;
  /** The messages before the turn and its first one. */
  context: ContextMessage[];
  /** Messages that the user sent while the turn ran. */
  steering: ContextMessage[];
  answers: ContextMessage[];
  calls: RecordedCall[];
}

/** @throws HoldfastError `NOT_FOUND` for a turn that was removed */
export async function readRecordedTurn(
  { pipelined, getVersion }: Pick<ActivityDependencies, 'pipelined' | 'getVersion'>,
  workspaceId: string,
  turnId: string,
): Promise<RecordedTurn> {
  const [turn, messages] = await pipelined(workspaceId, ({ turns, context }) =>
    Promise.all([turns.getTurn(turnId), context.listContext(turnId)]),
  );
  const version = await getVersion(workspaceId, turn.agentVersionId);
  const ordinal = messages.at(-1)?.turnOrdinal;
  const own = messages.filter(({ turnOrdinal }) => turnOrdinal === ordinal);
  const answers = own.filter(({ role }) => role === 'assistant');
  const [first, ...steering] = own.filter(({ role }) => role === 'user');
  return {
    ...{ turn, version, steering, answers },
    context: [...messages.filter(({ turnOrdinal }) => turnOrdinal !== ordinal), ...(first ? [first] : [])],
    calls: answers.flatMap((answer) => toRecordedCalls(answer, version)),
  };
}

function toRecordedCalls({ toolCalls }: ContextMessage, { tools, connectors }: AgentVersion): RecordedCall[] {
  return (toolCalls ?? []).map((call) => {
    const tool = tools.find(({ name }) => name === call.name);
    const target = tool && toolTargetOf(tool, call.arguments ?? {}, connectors).target;
    return { ...call, target: target ?? call.name };
  });
}

const keptCharacters = 500;

/** A recorded turn in the form of its replays, for comparison. */
export function toOriginalTurn(recorded: RecordedTurn, prices: Prices): ReplayedTurn {
  const { turn, version, answers, context } = recorded;
  return {
    turnId: turn.id,
    message: toPreview(context.at(-1)?.text ?? '', keptCharacters),
    outcome: turn.outcome ?? 'failed',
    answer: turn.answer ?? '',
    error: turn.error,
    steps: answers.map(({ iteration, text, toolCalls }) => ({
      iteration,
      text: toPreview(text, 4 * keptCharacters),
      calls: (toolCalls ?? []).map(({ id, name, arguments: input, status, result, error }) => ({
        ...{ name, arguments: input, status, answeredBy: null, recordedCallId: id },
        result: toPreview(result ?? (error ? `${error.code}: ${error.message}` : ''), keptCharacters),
        rule: status === 'blocked' ? 'recorded' : null,
      })),
    })),
    unasked: [],
    usage: turn.usage,
    costUsd: toModelCostUsd(version.model, turn.usage, prices),
    durationMs: toDurationMs(turn),
  };
}

function toDurationMs({ startedAt, settledAt }: Turn): number {
  return startedAt && settledAt ? Date.parse(settledAt) - Date.parse(startedAt) : 0;
}
