import type { ErrorInfo } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { toShownId, type ContextMessage } from '../../src/domain/model-context.ts';
import { pickFileParts } from '../../src/domain/model-part.ts';
import { isSkillReader } from '../../src/domain/skill-tools.ts';
import type { ToolOf } from '../../src/domain/tool.ts';
import { isResultReader, type StoredResult } from '../../src/domain/stored-result.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { NewToolCall } from '../../src/modules/turns/turn-answer-repository.ts';
import type { RecordedMatch } from '../../src/modules/replays/recorded/recorded-calls.ts';
import { answerSkillReader, type SkillCall } from '../../src/engines/tools/functions/read-skills.ts';
import type { SkillReaderRepository } from '../../src/modules/skills/skill-reader-repository.ts';
import { answerResultReader } from '../../src/engines/tools/functions/read-tool-result.ts';
import { findMode, findReasons } from '../tool/approve-call.ts';
import { prepareCall, type AllowedCall, type PrepareDependencies } from '../tool/prepare-call.ts';
import { toAnsweredEnd } from '../tool/tool-call-ends.ts';
import { answerLive, type LiveEnd } from './answer-live.ts';
import type { LaneRun, ReplayedEnd, TurnToReplay } from './replayed-turn.ts';
import type { ReplayServices } from './replay-services.ts';

interface CallToAnswer {
  turn: TurnToReplay;
  lane: LaneRun;
  iteration: number;
  call: NewToolCall;
  match: RecordedMatch | null;
  /** The messages of the turn so far. */
  said: ContextMessage[];
  counts: PrepareDependencies['transact'];
}

/** Judges a call by the rules and the schema of its tool, as a live turn does, and answers it as the replay says. */
export async function answerCall(services: ReplayServices, asked: CallToAnswer): Promise<ReplayedEnd> {
  const { lane, match } = asked;
  const claimed = toClaimed(asked);
  const dependencies = {
    getVersion: () => Promise.resolve(lane.version),
    ...{ pipelined: services.pipelined, tools: services.tools, transact: asked.counts },
  };
  const prepared = await prepareCall(dependencies, claimed);
  if ('end' in prepared) return toRefusedEnd(prepared.end, match);
  const asks = await findAsks(services, { ...prepared, claimed });
  return { ...(await answerAllowed(services, { ...asked, claimed, allowed: prepared })), asks };
}

/** Returns the conditions for which a person would have to approve the call; undefined when it needs no approval. */
async function findAsks(
  services: Pick<ReplayServices, 'tools'>,
  { claimed, ...allowed }: AllowedCall & { claimed: ClaimedToolCall },
): Promise<string[] | undefined> {
  // Only its server knows the tool behind a gateway, and a replay asks no server.
  const inner = null;
  const reasons = await findReasons(services, { call: claimed, ...allowed, inner });
  return findMode({ call: claimed, ...allowed, inner, reasons }) === 'never' ? undefined : reasons;
}

async function answerAllowed(
  services: ReplayServices,
  { claimed, allowed, ...asked }: CallToAnswer & { claimed: ClaimedToolCall; allowed: AllowedCall },
): Promise<ReplayedEnd> {
  const { call, match } = asked;
  const { tool, input } = allowed;
  const isNamed = asked.turn.rules.toolAnswers[call.name] === 'live';
  const runLive = async () => {
    const live = { ...asked, ...allowed, claimed, onlyReads: !isNamed };
    return toLiveEnd(await answerLive(services, live));
  };
  if (isSkillReader(tool)) return answerSkill(services, claimed, { ...asked, tool, input });
  if (isNamed) return runLive();
  if (match) return toRecordedEnd(match);
  if (isResultReader(tool)) return answerStored(services, claimed, { ...asked, input });
  return answerMissed(asked, runLive);
}

/** A refusal that was recorded too is the recorded answer. */
function toRefusedEnd({ status, error }: ToolCallEnd, match: RecordedMatch | null): ReplayedEnd {
  const rule = status === 'blocked' ? toRule(error) : null;
  const isRecorded = match?.match === 'exact' && match.call.status === status;
  const answeredBy = isRecorded ? 'exact' : rule === null ? 'refused' : 'blocked';
  return {
    status,
    ...(error ? { error } : {}),
    answeredBy,
    rule,
    recordedCallId: isRecorded ? match.call.id : null,
  };
}

function toRule(error: ErrorInfo | undefined): string {
  const { rule } = (error?.details ?? {}) as { rule?: string };
  return rule ?? error?.code ?? 'rule';
}

function toRecordedEnd({ call, match }: RecordedMatch): ReplayedEnd {
  return {
    status: call.status === 'failed' || call.status === 'unknown' ? call.status : 'succeeded',
    ...(call.result === null
      ? {}
      : { result: call.result, resultBytes: call.resultBytes ?? call.result.length }),
    ...(call.error ? { error: call.error } : {}),
    files: call.files ?? null,
    ...{ answeredBy: match, recordedCallId: call.id, shownId: toShownId(call), rule: null },
  };
}

function answerMissed(
  { call, turn }: CallToAnswer,
  runLive: () => Promise<ReplayedEnd>,
): ReplayedEnd | Promise<ReplayedEnd> {
  const { onMiss, stubs } = turn.rules;
  const place = { recordedCallId: null, rule: null };
  if (onMiss === 'live_if_read_only' && call.effect === 'read_only') return runLive();
  if (onMiss === 'stub') {
    const result = stubs[call.name] ?? 'There is no recorded answer to this call.';
    return { status: 'succeeded', result, resultBytes: result.length, answeredBy: 'stub', ...place };
  }
  const message = `No recorded call of ${call.name} can answer this one.`;
  return { status: 'failed', error: { code: 'NOT_FOUND', message }, answeredBy: 'missed', ...place };
}

/** A call that a rule of today, or its effect, has kept from being made is blocked. */
function toLiveEnd({ end, rule }: LiveEnd): ReplayedEnd {
  const isBlocked = end.status === 'blocked' || end.error?.code === 'TOOL_BLOCKED';
  return { ...toNewEnd(end, isBlocked ? 'blocked' : 'live'), rule };
}

interface SkillCallToAnswer extends CallToAnswer {
  tool: ToolOf<'function'>;
  input: JsonObject;
}

/**
 * Reads the version of a skill that the lane's agent version names: that of the recorded turn, unless the candidate has another
 * one. The recorded answer takes its place once the version was removed.
 */
async function answerSkill(
  { pipelined }: ReplayServices,
  claimed: ClaimedToolCall,
  { turn, iteration, call, match, said, tool, input }: SkillCallToAnswer,
): Promise<ReplayedEnd> {
  const within = <Result>(read: (skills: SkillReaderRepository) => Promise<Result>) =>
    pipelined(turn.workspaceId, ({ skills }) => read(skills));
  const result = await answerSkillReader(tool, input, {
    readInstructions: (skill) => within((skills) => skills.findInstructions(skill)),
    readFile: (file) => within((skills) => skills.findText(file)),
    listEarlier: (names) => Promise.resolve(listEarlier(said, { iteration, index: call.index, names })),
  });
  const isRemoved = result.status === 'failed' && result.error.code === 'NOT_FOUND';
  return isRemoved && match ? toRecordedEnd(match) : toNewEnd(toAnsweredEnd(claimed, result), 'stored');
}

/** The calls of some tools before one of this turn. Those beside it in the same answer may not have ended yet. */
function listEarlier(
  said: ContextMessage[],
  { iteration, index, names }: { iteration: number; index: number; names: readonly string[] },
): SkillCall[] {
  const calls = said.flatMap(({ iteration: of, toolCalls }) => {
    if (of === iteration) return (toolCalls ?? []).slice(0, index);
    return (toolCalls ?? []).filter(({ status }) => status === 'succeeded');
  });
  return calls.flatMap(({ name, arguments: toolArguments }) =>
    names.includes(name) && toolArguments ? [{ name, arguments: toolArguments }] : [],
  );
}

/** Reads a result that is stored in the conversation of the turn, or that the replay itself holds. */
async function answerStored(
  { pipelined }: ReplayServices,
  claimed: ClaimedToolCall,
  { turn, said, input }: CallToAnswer & { input: JsonObject },
): Promise<ReplayedEnd> {
  const result = await answerResultReader(input, async (callId) => {
    const stored = await pipelined(turn.workspaceId, ({ storedResults }) =>
      storedResults.findOfConversation(turn.turnId, callId),
    );
    return stored ?? findSaid([...turn.context, ...said], callId);
  });
  return toNewEnd(toAnsweredEnd(claimed, result), 'stored');
}

/** Finds the end of a call that a replay has answered without a recorded call, so that no row has it. */
function findSaid(said: ContextMessage[], callId: string): StoredResult | null {
  const calls = said.flatMap(({ toolCalls }) => toolCalls ?? []);
  const call = calls.find((one) => toShownId(one) === callId);
  if (!call) return null;
  const { name, status, result: text, resultBytes, error } = call;
  return { name, status, text, isCut: (resultBytes ?? 0) > Buffer.byteLength(text ?? ''), error };
}

function toNewEnd(end: LiveEnd['end'], answeredBy: 'live' | 'stored' | 'blocked'): ReplayedEnd {
  const { status, error, result, resultBytes = 0, content } = end;
  return {
    status,
    ...(result === undefined ? {} : { result, resultBytes }),
    ...(error ? { error } : {}),
    files: pickFileParts(content),
    ...{ answeredBy, recordedCallId: null, rule: null },
  };
}

/** The call as the rules of a live turn see it. */
function toClaimed({ turn, lane, iteration, call }: CallToAnswer): ClaimedToolCall {
  return {
    id: call.id,
    workspace_id: turn.workspaceId,
    conversation_id: turn.conversationId,
    turn_id: turn.turnId,
    agent_id: lane.version.agentId,
    agent_version_id: lane.version.id,
    ...{ iteration, index: call.index, key: call.key, model_call_id: call.modelCallId, name: call.name },
    ...{
      tool: call.tool,
      effect: call.effect,
      arguments: call.arguments,
      invalid_arguments: call.invalidArguments,
    },
    ...{ connector: call.connector, target: call.target, error: call.refusal },
    ...{ status: 'requested', status_before: 'requested', attempts: 1, runs: true },
    ...{ result: null, result_bytes: null, result_truncated: false, result_content: null },
    ...{
      child_turn_id: null,
      child_workflow_id: null,
      child_begun_by: null,
      started_at: null,
      ended_at: null,
    },
    ...{ cancel_requested: false, steering: false, rule_sources: [], quarantined: [] },
    ...{ ends_turn: lane.version.rules.onBlocked === 'end_turn' },
    ...{
      approval: null,
      requests: null,
      workspace_approval: turn.workspaceApproval ?? null,
      budgeted: false,
      held_by: null,
    },
  };
}
