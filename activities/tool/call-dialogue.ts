import { toQuestionHash } from '../../src/modules/actions/approval-hash.ts';
import type { ActionRow } from '../../src/modules/actions/action-rows.ts';
import type { AskedRequest } from '../../src/modules/actions/call-actions.ts';
import type { ClaimedToolCall } from '../../src/modules/turns/calls/tool-call-repository.ts';
import { toDurationText } from '../../src/domain/duration.ts';
import type {
  CallDialogue,
  QuestionHold,
  ResumedCall,
  ServerAnswer,
  ServerQuestion,
} from '../../src/domain/question.ts';
import { toPreview } from '../../src/domain/text.ts';
import type { ToolResult } from '../../src/domain/tool.ts';
import { createWakeSignal } from '../../src/modules/turns/follow/wake-signal.ts';
import type { ToolPort } from '../step-dependencies.ts';
import { readApprovalTimeoutMs, toRunArguments } from './approve-call.ts';

/** The share of the time that is left to a call for which a question is held; the server answers in the rest. */
const heldShare = 0.8;

/** How often a held question is read when no notification of its decision arrives, in milliseconds. */
const lookEveryMs = 1_000;

/** The most questions of one call. */
export const mostQuestions = 20;

/** A question that was not answered while its call was open. */
interface UnansweredQuestion {
  actionId: string;
  question: string;
  heldMs: number;
}

/** The dialogue of one attempt of a call. */
export interface HeldDialogue extends CallDialogue {
  unanswered: UnansweredQuestion[];
}

/** Returns whether a call may be sent again after its server got no answer to a question. */
export function isRepeatable({ effect }: Pick<ClaimedToolCall, 'effect'>): boolean {
  return effect !== 'unsafe';
}

/**
 * Lets the server of a call ask people while the call is open. A question that was answered after an earlier attempt had
 * ended is answered at once when the server asks it again.
 */
export function createDialogue(
  dependencies: ToolPort,
  call: ClaimedToolCall,
  deadlineAt: number,
): HeldDialogue {
  const asked = call.requests ?? [];
  const known = asked.filter(({ source, status }) => source?.via === 'request' && status !== 'pending');
  const unanswered: UnansweredQuestion[] = [];
  let position = asked.length;

  async function askPeople(
    question: ServerQuestion,
    hash: string,
    hold: QuestionHold,
  ): Promise<ServerAnswer> {
    const leftMs = Math.min(hold.deadline, deadlineAt) - Date.now();
    const heldMs = Math.max(1, Math.round(leftMs * heldShare));
    const held = { call, question, hash, position: position++, heldMs };
    const actionId = await requestAnswer(dependencies, held);
    if (actionId === null) return { action: 'cancel' };
    const answer = await holdQuestion(dependencies, { ...held, ...hold, actionId });
    if (!answer && !hold.over.aborted) unanswered.push({ actionId, question: question.message, heldMs });
    return answer ?? { action: 'cancel' };
  }

  return {
    unanswered,
    resumed: findResumed(asked),
    ask: async (question, hold) => {
      const hash = toQuestionHash(question);
      const index = known.findIndex((one) => one.hash === hash);
      const [before] = index < 0 ? [] : known.splice(index, 1);
      if (before) return toServerAnswer(before);
      // The server continues as it can without an answer; when it is called again it asks the rest.
      const isOver = unanswered.length > 0 || position >= mostQuestions;
      return isOver ? { action: 'cancel' } : askPeople(question, hash, hold);
    },
  };
}

/** The unanswered question that a repeatable call waits for: the server's result without the answer is dropped. */
export function findLeftQuestion(
  call: ClaimedToolCall,
  { unanswered }: HeldDialogue,
): { actionId: string } | null {
  const [first] = unanswered;
  return first && isRepeatable(call) ? { actionId: first.actionId } : null;
}

interface HeldQuestion {
  call: ClaimedToolCall;
  question: ServerQuestion;
  hash: string;
  position: number;
  heldMs: number;
}

/** Stores a question and returns the id of its action, which outlives a repeatable call; null when the call is over. */
async function requestAnswer(
  dependencies: ToolPort,
  { call, question, hash, position, heldMs }: HeldQuestion,
): Promise<string | null> {
  const timeoutMs = isRepeatable(call) ? await readApprovalTimeoutMs(dependencies, call) : heldMs;
  const { message, schema, options, url } = question;
  const action = await dependencies.pipelined(call.workspace_id, ({ actions }) =>
    actions.request({
      ...{ kind: 'question', toolCallId: call.id, attempts: call.attempts, isActedOn: true },
      ...{ question: message, schema, options, hash, position },
      arguments: toRunArguments(call) ?? {},
      timeoutMs,
      source: { server: question.server, via: 'request', url },
    }),
  );
  dependencies.notifier.events(call.conversation_id);
  return action?.id ?? null;
}

/** Waits for the answer to a question of an open call; null when there is none in time. */
async function holdQuestion(
  { pipelined, wakeups, notifier }: ToolPort,
  { call, actionId, heldMs, over, withdrawn }: HeldQuestion & QuestionHold & { actionId: string },
): Promise<ServerAnswer | null> {
  const find = () => pipelined(call.workspace_id, ({ actions }) => actions.find(actionId));
  const until = Date.now() + heldMs;
  const ended = AbortSignal.any([over, withdrawn]);
  const wakeSignal = createWakeSignal(ended);
  const stopListening = wakeups.onEvents(call.conversation_id, wakeSignal.notify);
  try {
    while (!ended.aborted && Date.now() < until) {
      const action = await find();
      if (action?.status !== 'pending') return action && toServerAnswer(action);
      await wakeSignal.wait(Math.min(lookEveryMs, Math.max(1, until - Date.now())));
    }
  } finally {
    stopListening();
  }
  if (!isRepeatable(call)) {
    await pipelined(call.workspace_id, ({ waiting }) => waiting.expire(call.turn_id, actionId));
    notifier.events(call.conversation_id);
  }
  const action = await find();
  return action && ['answered', 'rejected'].includes(action.status) ? toServerAnswer(action) : null;
}

/** Puts a note before the result of a call whose server got no answer to its questions. */
export function withUnanswered(result: ToolResult, { unanswered }: HeldDialogue): ToolResult {
  if (unanswered.length === 0) return result;
  const notes = unanswered.map(
    ({ question, heldMs }) =>
      `The server asked ${JSON.stringify(toPreview(question, 300))}. Nobody answered within ${toDurationText(Math.max(1, Math.round(heldMs / 1000)) * 1000)}, so it was told that the question was cancelled.`,
  );
  const note = notes.join('\n');
  if (result.status === 'succeeded') return { ...result, text: `${note}\n\n${result.text}` };
  return { ...result, error: { ...result.error, message: `${note} ${result.error.message}` } };
}

/** The answers to the questions of the last result that asked some. */
function findResumed(asked: AskedRequest[]): ResumedCall | null {
  const last = asked.at(-1)?.source;
  if (last?.via !== 'result') return null;
  const { requestState } = last;
  const answers = listRound(asked).map((one) => [one.source?.key ?? '', toServerAnswer(one)] as const);
  return { answers: Object.fromEntries(answers), ...(requestState === undefined ? {} : { requestState }) };
}

/** The questions that the server asked at the same time as the last one. */
export function listRound(asked: AskedRequest[]): AskedRequest[] {
  const round = asked.at(-1)?.source?.round;
  return asked.filter(({ source }) => source?.round === round);
}

function toServerAnswer({ status, answer }: Pick<ActionRow, 'status' | 'answer'>): ServerAnswer {
  if (status === 'rejected') return { action: 'decline' };
  if (status !== 'answered') return { action: 'cancel' };
  // A form is answered by an object, an address by the name of an action.
  return typeof answer === 'string'
    ? { action: answer as ServerAnswer['action'] }
    : { action: 'accept', content: answer as NonNullable<ServerAnswer['content']> };
}
