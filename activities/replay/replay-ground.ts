import { createHash } from 'node:crypto';
import { defaultLimits } from '../../src/domain/limits.ts';
import type { ContextMessage, ContextToolCall } from '../../src/domain/model-context.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { noUsage, addUsage, countTokens } from '../../src/domain/usage.ts';
import type { ReplayedCall, ReplayedStep } from '../../src/domain/replay.ts';
import { toKeptResult, toKeptStep } from '../../src/modules/replays/recorded/kept-texts.ts';
import type { RecordedMatch } from '../../src/modules/replays/recorded/recorded-calls.ts';
import type { NewAnswer, NewToolCall } from '../../src/modules/turns/turn-answer-repository.ts';
import { TurnStopped, type TurnGround } from '../../src/contract/turn-loop.ts';
import type { CallModelInput, ExecuteToolCallResult } from '../../src/contract/turn-steps.ts';
import { toCallModelResult } from '../model/call-model-result.ts';
import { runModelStep } from '../model/model-step.ts';
import { toNewAnswer } from '../model/new-answer.ts';
import { readTurnVersion } from '../model/read-turn-version.ts';
import { answerCall } from './answer-call.ts';
import { askModel } from './ask-model.ts';
import { takeRecorded } from './recorded-turn.ts';
import { takeReplayContext } from './replay-context.ts';
import type { LaneRun, ReplayedEnd, TurnToReplay } from './replayed-turn.ts';
import type { ReplayServices } from './replay-services.ts';
import type { CallCount, CountedLimit } from '../../src/modules/turns/calls/tool-call-counts.ts';
import type { PrepareDependencies } from '../tool/prepare-call.ts';

/** A turn while it is replayed: what it has said and done so far. */
export interface ReplayState {
  messages: ContextMessage[];
  steps: ReplayedStep[];
  usage: ReturnType<typeof addUsage>;
  answer: string;
  answerJson: JsonObject | null;
  missed: boolean;
}

/** Creates the ground of a turn whose steps store nothing: the model is asked, and tool calls get recorded answers. */
export function createReplayGround(services: ReplayServices, lane: LaneRun, turn: TurnToReplay) {
  const { state, counts } = createState(turn);
  const { limits, model } = lane.version;
  const maxIterations = limits.maxIterations ?? defaultLimits.maxIterations;
  let calls: MatchedCall[] = [];
  let storeEnd: StoreEnd = () => Promise.resolve();

  const ground: TurnGround = {
    maxIterations,
    leaves: () => false,
    isStop: () => true,
    watch: { begun: () => {}, answered: () => {}, summarized: () => {}, toolEnded: () => {} },
    summarizeContext: () => Promise.reject(new Error('a replay makes no summaries')),
    callModel: async (iteration, tools) => {
      const input = toModelInput(turn, { iteration, tools });
      const running = await readTurnVersion(
        { getVersion: () => Promise.resolve(lane.version), pipelined: services.pipelined },
        turn.workspaceId,
        { agentVersionId: lane.version.id, ruleSources: [] },
      );
      const { responseSchema } = turn;
      const step = toReplayStep(state, responseSchema);
      const context = await takeReplayContext(turn, { said: state.messages, iteration, running });
      const { sampling } = lane;
      const { signal } = turn;
      const answered = await runModelStep(services.tools, { input, step, running, context }, (within, seen) =>
        askModel(services, { running, input: within, signal, sampling, responseSchema, ...seen }),
      );
      const answer = toNewAnswer({ ...answered, step }, services.tools);
      calls = matchCalls(turn, lane, answer);
      for (const { call } of calls) counts.add(call);
      noteAnswer(state, answer, { iteration, turn });
      storeEnd = await beginStep(turn, answer);
      return toCallModelResult(answer, running.version, services.tools.summarize);
    },
    runToolCall: async (iteration, { index }): Promise<ExecuteToolCallResult> => {
      const matched = calls[index];
      const message = state.messages.at(-1);
      if (!matched || !message) throw new Error(`there is no call ${index} in iteration ${iteration}`);
      const { call } = matched;
      const asked = { turn, lane, iteration, ...matched, said: state.messages, counts: counts.transact };
      const end = await answerCall(services, asked);
      message.toolCalls?.splice(index, 1, toContextCall(call, end));
      const step = state.steps.at(-1);
      if (step) step.calls[index] = toReplayedCall(call, end);
      await storeEnd(index, end);
      if (end.answeredBy === 'missed') {
        state.missed = true;
        throw new TurnStopped({ outcome: 'failed', ...(end.error ? { error: end.error } : {}) });
      }
      const isEnd = end.status === 'blocked' && lane.version.rules.onBlocked === 'end_turn';
      const resultPreview = toKeptResult(end);
      return { status: end.status, resultPreview, durationMs: 0, ...(isEnd ? { endsTurn: true } : {}) };
    },
  };
  return { ground, state, model };
}

/** A call with the recorded call whose answer it gets. */
interface MatchedCall {
  call: NewToolCall;
  match: RecordedMatch | null;
}

function matchCalls(
  { recorded }: TurnToReplay,
  { version }: LaneRun,
  { toolCalls }: NewAnswer,
): MatchedCall[] {
  const matches = takeRecorded(recorded, toolCalls, version);
  return toolCalls.map((call, index) => ({ call, match: matches[index] ?? null }));
}

/** The state of a turn before its first step here, and the calls that count for its limits. */
function createState({ begun }: TurnToReplay): {
  state: ReplayState;
  counts: ReturnType<typeof createCallCounts>;
} {
  const counts = createCallCounts();
  for (const call of begun?.calls ?? []) counts.add(call);
  const messages = [...(begun?.answers ?? [])];
  const usage = begun?.usage ?? noUsage;
  const state = { messages, steps: [], usage, answer: '', answerJson: null, missed: false };
  return { state, counts };
}

function noteAnswer(
  state: ReplayState,
  answer: NewAnswer,
  { iteration, turn }: { iteration: number; turn: TurnToReplay },
): void {
  state.usage = addUsage(state.usage, answer.usage);
  state.answer = answer.text;
  state.answerJson = answer.answerJson ?? null;
  state.messages.push(toContextMessage(answer, { iteration, turn }));
  state.steps.push({ iteration, text: toKeptStep(answer.text), calls: [] });
}

function toReplayStep({ usage }: ReplayState, responseSchema: JsonObject | null) {
  const limits = { maxIterations: null, maxTokens: null, tokensUsed: countTokens(usage) };
  return { ...limits, usage, steered: 0, heldBy: null, prices: {}, responseSchema, quarantined: [] };
}

type StoreEnd = (index: number, end: ReplayedEnd) => Promise<void>;

/** Stores a step once the last one of its calls is answered: at once for an answer without calls. */
async function beginStep({ store }: TurnToReplay, answer: NewAnswer): Promise<StoreEnd> {
  const ends: ReplayedEnd[] = [];
  let open = answer.toolCalls.length;
  if (open === 0) await store?.({ answer, ends });
  return async (index, end) => {
    ends[index] = end;
    open -= 1;
    if (open === 0) await store?.({ answer, ends });
  };
}

function toModelInput(
  { workspaceId, conversationId, key }: TurnToReplay,
  { iteration, tools }: Pick<CallModelInput, 'iteration' | 'tools'>,
): CallModelInput {
  const place = { workspaceId, conversationId, turnId: key, iteration };
  return { ...place, tools, deadlineAt: Infinity, timeoutMs: defaultLimits.activityTimeoutMs };
}

function toContextMessage(
  answer: ReturnType<typeof toNewAnswer>,
  { iteration, turn }: { iteration: number; turn: TurnToReplay },
): ContextMessage {
  const ordinal = turn.context.at(-1)?.turnOrdinal ?? 1;
  return {
    ...{ turnOrdinal: ordinal, firstOrdinal: turn.context.at(-1)?.firstOrdinal ?? ordinal },
    ...{ iteration, role: 'assistant', text: answer.text, providerContent: answer.providerContent },
    refused: answer.refused ?? null,
    toolCalls: answer.toolCalls.map((call) =>
      toContextCall(call, { status: 'failed', answeredBy: 'missed', recordedCallId: null, rule: null }),
    ),
  };
}

function toContextCall(call: NewToolCall, end: ReplayedEnd): ContextToolCall {
  return {
    id: end.recordedCallId ?? createHash('sha256').update(call.key).digest('hex').slice(0, 32),
    recordedId: end.shownId ?? null,
    ...{ modelCallId: call.modelCallId, name: call.name, effect: call.effect, arguments: call.arguments },
    ...{ invalidArguments: call.invalidArguments, status: end.status },
    ...{ result: end.result ?? null, resultBytes: end.resultBytes ?? null, error: end.error ?? null },
    files: end.files ?? null,
  };
}

function toReplayedCall({ name, arguments: input }: NewToolCall, end: ReplayedEnd): ReplayedCall {
  const { answeredBy, recordedCallId, rule, status, asks } = end;
  const shown = {
    name,
    arguments: input,
    answeredBy,
    recordedCallId,
    rule,
    status,
    result: toKeptResult(end),
  };
  return asks === undefined ? shown : { ...shown, asks };
}

/** A call that counts for the limits of policies. */
interface CountedCall {
  name: string;
  target: string | null;
}

/**
 * Counts the calls of a replayed turn in memory. Limits by day do not hold in a replay: the turns of that day are not in it.
 */
function createCallCounts(): {
  add: (call: CountedCall) => void;
  transact: PrepareDependencies['transact'];
} {
  const calls: CountedCall[] = [];
  const countInTurn = ({ names, targets }: CountedLimit) =>
    calls.filter(({ name, target }) => names.includes(name) || (target !== null && targets.includes(target)))
      .length;
  const toolCalls = {
    lockCounts: () => Promise.resolve(),
    count: ({ limits }: { limits: CountedLimit[] }): Promise<CallCount[]> =>
      Promise.resolve(
        limits.map((limit) => ({
          turnId: limit.turnId,
          key: limit.key,
          inTurn: countInTurn(limit),
          inDay: null,
        })),
      ),
  };
  return { add: (call) => calls.push(call), transact: (_, run) => run({ toolCalls }) };
}
