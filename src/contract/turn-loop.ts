import type { ErrorInfo } from '../domain/errors.ts';
import type { TurnOutcome } from '../domain/turn-status.ts';
import type {
  CallModelInput,
  CallModelResult,
  ExecuteToolCallResult,
  RoutableToolCall,
  RestOfTurn,
  SummarizeContextResult,
  TurnEnding,
  WaitingCall,
} from './turn-steps.ts';

/** Follows a turn while it runs, for people who look at it. */
export interface TurnWatch {
  begun: (iteration: number, step: 'model' | 'tools') => void;
  summarized: (iteration: number, result: SummarizeContextResult) => void;
  answered: (iteration: number, answer: CallModelResult) => void;
  toolEnded: (call: RoutableToolCall, ended: ExecuteToolCallResult) => void;
}

/** The steps of a turn, by which its loop runs as workflow code and inside one activity alike. */
export interface TurnGround {
  maxIterations: number;
  /**
   * Calls the model and stores its answer. An answer that is stored already is returned. With `summarizesApart` the model is not
   * called when its context has to be summarized first, which the result says.
   */
  callModel: (
    iteration: number,
    tools: CallModelInput['tools'],
    options?: Pick<CallModelInput, 'summarizesApart'>,
  ) => Promise<CallModelResult>;
  /** Summarizes the oldest turns of the conversation before a model call, and stores the summary. */
  summarizeContext: (iteration: number) => Promise<SummarizeContextResult>;
  /** Runs a tool call and stores its end. The end of a call that has ended already is returned. */
  runToolCall: (iteration: number, call: RoutableToolCall) => Promise<ExecuteToolCallResult>;
  /** Returns whether the rest of the turn runs elsewhere, from these tool calls or, without any, from its next model call. */
  leaves: (calls?: RoutableToolCall[]) => boolean;
  /**
   * Returns whether a tool call that threw ends the loop: its turn ends, or continues in another process. The holder of the turn
   * ends the others before its next model call, as failed or `unknown`.
   */
  isStop: (error: unknown) => boolean;
  watch: TurnWatch;
}

/** The end of the loop: the stored ending of the turn, or the rest of it, which runs elsewhere. */
export type LoopEnd = { ending: TurnEnding; rest?: never } | { rest: RestOfTurn; ending?: never };

/** Ends a turn with an ending that no step has stored yet. */
export class TurnStopped extends Error {
  override readonly name = 'TurnStopped';
  readonly ending: TurnEnding;

  constructor(ending: TurnEnding) {
    super(ending.error?.message ?? `the turn is ${ending.outcome}`);
    this.ending = ending;
  }
}

/**
 * Calls the model and the tools that it asks for, until an answer ends the turn. At the limit of iterations the model
 * is called once more, without tools, for an answer from what it has found.
 * @throws TurnStopped when a rule or a budget ends the turn; the errors of the steps
 */
export async function runTurnLoop(ground: TurnGround, from = 1): Promise<LoopEnd> {
  const { watch } = ground;
  for (let iteration = from; ; iteration++) {
    if (ground.leaves()) return { rest: { iteration } };
    watch.begun(iteration, 'model');
    const answer = await callModel(ground, iteration);
    watch.answered(iteration, answer);
    const { outcome, error, toolCalls } = answer;
    if (outcome) return { ending: { outcome, ...(error ? { error } : {}) } };
    if (ground.leaves(toolCalls)) return { rest: { iteration, toolCalls } };
    const waiting = await runToolCalls(ground, iteration, toolCalls);
    if (waiting.length > 0) return { rest: { iteration, waiting, calls: toolCalls.length } };
  }
}

/** Calls the model of an iteration, after a step that summarizes the conversation where that has become too long. */
async function callModel(ground: TurnGround, iteration: number): Promise<CallModelResult> {
  const tools = iteration > ground.maxIterations ? 'withheld' : 'offered';
  const answer = await ground.callModel(iteration, tools, { summarizesApart: true });
  if (!answer.toSummarize) return answer;
  ground.watch.summarized(iteration, await ground.summarizeContext(iteration));
  return ground.callModel(iteration, tools);
}

/**
 * Runs tool calls of an answer in parallel, and returns those that wait for people. A call that fails does not stop the
 * others; the model gets its error as the result.
 * @throws TurnStopped when a rule or a budget ends the turn; the first error of a call that ends it
 */
export async function runToolCalls(
  { watch, runToolCall, isStop }: Pick<TurnGround, 'watch' | 'runToolCall' | 'isStop'>,
  iteration: number,
  calls: RoutableToolCall[],
): Promise<WaitingCall[]> {
  watch.begun(iteration, 'tools');
  const results = await Promise.allSettled(
    calls.map(async (call) => {
      const ended = await runToolCall(iteration, call);
      watch.toolEnded(call, ended);
      return ended;
    }),
  );
  for (const result of results) {
    if (result.status === 'rejected' && isStop(result.reason)) throw result.reason;
  }
  for (const result of results) {
    if (result.status === 'fulfilled' && result.value.endsTurn) {
      const { resultPreview: message, error = { code: 'TOOL_BLOCKED', message } } = result.value;
      throw new TurnStopped({ outcome: 'failed', error });
    }
  }
  return calls.flatMap((call, position) => {
    const result = results[position];
    const actionId = result?.status === 'fulfilled' ? result.value.actionId : undefined;
    return actionId === undefined ? [] : [{ call, actionId }];
  });
}

/** The outcomes of turns by the codes of step failures that end a turn at once. */
const outcomes: Partial<Record<ErrorInfo['code'], TurnOutcome>> = {
  TURN_CANCELLED: 'cancelled',
  TURN_TIMED_OUT: 'timed_out',
  TURN_SETTLED: 'failed',
};

/** Returns whether the error of a step ends its turn, whatever the step was. */
export function endsTurn({ code }: Pick<ErrorInfo, 'code'>): boolean {
  return code in outcomes;
}

/** Returns the ending of a turn by the error of a step. */
export function toTurnEnding(error: ErrorInfo): TurnEnding {
  const outcome = outcomes[error.code] ?? 'failed';
  return outcome === 'cancelled' ? { outcome } : { outcome, error };
}
