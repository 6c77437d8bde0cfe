import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ContextMessage, ContextToolCall } from '../../src/domain/model-context.ts';
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
  /** The text of its first message. */
  message: string;
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
    ...{ turn, version, steering, answers, message: first?.text ?? '' },
    context: [...messages.filter(({ turnOrdinal }) => turnOrdinal !== ordinal), ...(first ? [first] : [])],
    calls: toRecordedCalls(
      answers.flatMap(({ toolCalls }) => toolCalls ?? []),
      version,
    ),
  };
}

/** Names the targets of recorded calls, by which replayed calls find them. */
export function toRecordedCalls(
  calls: ContextToolCall[],
  { tools, connectors }: AgentVersion,
): RecordedCall[] {
  return calls.map((call) => {
    const tool = tools.find(({ name }) => name === call.name);
    const target = tool && toolTargetOf(tool, call.arguments ?? {}, connectors).target;
    return { ...call, target: target ?? call.name };
  });
}
