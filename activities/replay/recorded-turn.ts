import type { ApprovalMode } from '../../src/domain/approval.ts';
import type { AgentVersion } from '../../src/domain/agent.ts';
import type { StartOfTurn } from '../../src/domain/compaction.ts';
import { toContextBudget, toFullness } from '../../src/domain/context-budget.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import {
  toSummaryMessage,
  type ContextMessage,
  type ContextToolCall,
} from '../../src/domain/model-context.ts';
import { toWorkspaceId, type RowScope } from '../../src/domain/row-scope.ts';
import { withStart } from '../../src/domain/plan-compaction.ts';
import { isSkillReader } from '../../src/domain/skill-tools.ts';
import { isResultReader } from '../../src/domain/stored-result.ts';
import { findTokenRatio, type TokenRatios } from '../../src/domain/token-estimate.ts';
import type { Turn } from '../../src/domain/turn.ts';
import type { NewToolCall } from '../../src/modules/turns/turn-answer-repository.ts';
import type {
  RecordedCall,
  RecordedCalls,
  RecordedMatch,
} from '../../src/modules/replays/recorded/recorded-calls.ts';
import { resolveCall, toolboxOf } from '../../src/engines/tools/toolbox.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import type { SeenContext } from './replayed-turn.ts';

/** A turn as it was recorded, with the messages that its model calls have seen. */
export interface RecordedTurn {
  turn: Turn;
  version: AgentVersion;
  /** The model that gave its last answer, which may be a fallback; null without an answer. */
  answeredBy: string | null;
  responseSchema: JsonObject | null;
  /** The approval mode that its workspace has today. */
  workspaceApproval: ApprovalMode | null;
  /** The messages before the turn and its first one. */
  context: ContextMessage[];
  seen: SeenContext;
  /** The text of its first message. */
  message: string;
  /** Messages that the user sent while the turn ran. */
  steering: ContextMessage[];
  answers: ContextMessage[];
  calls: RecordedCall[];
}

/** @throws HoldfastError `NOT_FOUND` for a turn that was removed, or that is not among the rows */
export async function readRecordedTurn(
  { pipelined, getVersion }: Pick<StepDependencies, 'pipelined' | 'getVersion'>,
  rows: RowScope,
  turnId: string,
): Promise<RecordedTurn> {
  const [turn, step, listed, starts, answeredBy] = await pipelined(
    rows,
    ({ turns, context, compactions, recordedSteps }) =>
      Promise.all([
        turns.getTurn(turnId),
        context.findStep(turnId, 1),
        context.listContext(turnId, { iteration: 1 }),
        compactions.listStarts(turnId),
        recordedSteps.findAnsweringModel(turnId),
      ]),
  );
  const messages = [...(step ? toSummaryMessage(step.start) : []), ...listed];
  const version = await getVersion(toWorkspaceId(rows), turn.agentVersionId);
  const ordinal = messages.at(-1)?.turnOrdinal;
  const own = messages.filter(({ turnOrdinal }) => turnOrdinal === ordinal);
  const answers = own.filter(({ role }) => role === 'assistant');
  const [first, ...steering] = own.filter(({ role }) => role === 'user');
  const seen = toSeen(messages, { starts, version, tokenRatios: step?.tokenRatios ?? {} });
  return {
    ...{ turn, version, answeredBy, steering, answers, seen, message: first?.text ?? '' },
    responseSchema: step?.responseSchema ?? null,
    workspaceApproval: step?.workspaceApproval ?? null,
    context: [...messages.filter(({ turnOrdinal }) => turnOrdinal !== ordinal), ...(first ? [first] : [])],
    calls: toRecordedCalls(
      answers.flatMap(({ toolCalls }) => toolCalls ?? []),
      version,
    ),
  };
}

interface SeenOptions {
  starts: StartOfTurn[];
  version: AgentVersion;
  tokenRatios: TokenRatios;
}

/** Measures the contexts of all recorded model calls, since an estimate may say of one that was sent that it is too long. */
function toSeen(messages: ContextMessage[], { starts, version, tokenRatios }: SeenOptions): SeenContext {
  const room = toContextBudget(version, tokenRatios);
  const ordinal = messages.at(-1)?.turnOrdinal;
  const isOwn = ({ role, turnOrdinal }: ContextMessage) => role !== 'summary' && turnOrdinal === ordinal;
  const calls = messages.filter((message) => isOwn(message) && message.role === 'assistant');
  const sizes = calls.map(({ iteration }) => {
    const sent = messages.filter((message) => !isOwn(message) || message.iteration < iteration);
    const start = starts.findLast((one) => one.iteration <= iteration);
    return toFullness(start ? withStart(sent, start) : sent, room);
  });
  const tokensPerByte = findTokenRatio(tokenRatios, version.model);
  return { starts, tokenRatios, tokensPerByte, fullest: Math.max(1, ...sizes) };
}

type ToolsOfVersion = Pick<AgentVersion, 'tools' | 'connectors'>;
type CallOfTool = Pick<NewToolCall, 'name' | 'arguments' | 'tool'>;

/**
 * Takes the recorded answers of the calls of one answer of the model, by the names of what they call. A call that reads a
 * stored result, or a skill, never gets what another call has read: it can read what it asks for.
 */
export function takeRecorded(
  recorded: RecordedCalls,
  calls: CallOfTool[],
  version: ToolsOfVersion,
): (RecordedMatch | null)[] {
  return recorded.take(
    calls.map((call) => ({
      target: toTargetName(call, version),
      input: call.arguments,
      onlyExact: call.tool !== null && (isResultReader(call.tool) || isSkillReader(call.tool)),
    })),
  );
}

/** Names the targets of recorded calls, by which replayed calls find them. */
export function toRecordedCalls(calls: ContextToolCall[], version: AgentVersion): RecordedCall[] {
  return calls.map((call) => {
    const tool = version.tools.find(({ name }) => name === call.name) ?? null;
    return { ...call, target: toTargetName({ ...call, tool }, version) };
  });
}

/** The name of what a call reaches; that of the call itself where nothing else is known. */
function toTargetName({ name, arguments: input, tool }: CallOfTool, version: ToolsOfVersion): string {
  return (tool && resolveCall(tool, input ?? {}, toolboxOf(version)).target) ?? name;
}
