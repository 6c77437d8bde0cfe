import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  makeContinueAsNewFunc,
  setHandler,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow';
import { toSettleReserveMs } from '../src/domain/limits.ts';
import { runToolCalls, type TurnGround } from '../src/contract/turn-loop.ts';
import type {
  ActionDecision,
  AgentTurnInput,
  PausedTurn,
  WaitedFor,
  WaitingCall,
} from '../src/contract/turn-steps.ts';
import { actionDecided, decideAction } from './messages.ts';
import type { RunningTurn } from './running-turn.ts';

/** Longer than the longest time that an action may wait; in milliseconds. */
const longestWaitMs = 31 * 24 * 60 * 60 * 1000;

/** Returns whether this run was continued to wait for people: no other run may last so long. */
export function isWaitingRun(): boolean {
  return workflowInfo().runTimeoutMs === longestWaitMs;
}

/** How long a run waits before another one waits in its place, in milliseconds. */
const momentMs = 1_000;

/** Takes the decisions of people: those that are stored already, and those that are sent to the workflow. */
export function followDecisions(turn: RunningTurn): void {
  setHandler(actionDecided, (id) => {
    turn.decided.add(id);
    turn.changed.add(id);
  });
  setHandler(
    decideAction,
    ({ actionId, ...decision }) =>
      turn.steps.decideWaitingAction({ workspaceId: turn.input.workspaceId, actionId, decision }),
    { validator: refuseWrongDecision, description: 'Approves, rejects or answers what a turn waits for.' },
  );
}

function refuseWrongDecision(input: unknown): void {
  const { actionId, decision } = (input ?? {}) as Partial<ActionDecision>;
  if (typeof actionId === 'string' && ['approve', 'reject', 'answer'].includes(decision ?? '')) return;
  throw ApplicationFailure.nonRetryable(
    'Send { "actionId": "…", "decision": "approve", "reject" or "answer", "answer": …, "reason": "…" }.',
    'INVALID_INPUT',
  );
}

/**
 * Runs the tool calls that wait for people as each is decided, and returns when none waits. When nothing else runs the
 * turn waits in its own run, which ends this one.
 * @throws as `runToolCalls`; ContinueAsNew
 */
export async function runDecidedCalls(
  turn: RunningTurn,
  ground: TurnGround,
  { iteration, waiting }: WaitedFor,
): Promise<void> {
  const open = new Map(waiting.map((one) => [one.actionId, one]));
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  function start({ call }: WaitingCall): void {
    const run = runToolCalls(ground, iteration, [call])
      .then(
        (again) => again.forEach((one) => open.set(one.actionId, one)),
        (error: unknown) => {
          failure ??= { error };
        },
      )
      .finally(() => running.delete(run));
    running.add(run);
  }

  for (;;) {
    for (const call of takeDecided(turn.decided, open)) start(call);
    if (running.size > 0) {
      const before = running.size;
      await condition(() => turn.decided.size > 0 || running.size < before);
      if (failure) throw failure.error;
    } else if (open.size === 0) {
      return;
    } else {
      await waitOrGoOn(turn, { iteration, waiting: [...open.values()] });
    }
  }
}

function takeDecided(decided: Set<string>, open: Map<string, WaitingCall>): WaitingCall[] {
  const calls = [...decided].flatMap((actionId) => open.get(actionId) ?? []);
  decided.clear();
  for (const { actionId } of calls) open.delete(actionId);
  return calls;
}

/**
 * Reads the decisions, and continues as new in a run that waits when there is none. It waits a moment before that, since
 * programs may decide at once, and Temporal starts the runs of a workflow a second apart.
 */
async function waitOrGoOn(turn: RunningTurn, waited: WaitedFor): Promise<void> {
  const { limits } = turn.input;
  // An approved call gets the time of one step, however little the turn had left when it began to wait.
  const leastMs = Math.min(limits.activityTimeoutMs, turn.timeMs);
  const timeLeftMs = Math.round(Math.max(turn.deadlineAt - Date.now(), leastMs));
  turn.details.waits(waited.waiting.map(({ call }) => call));
  for (let isFirst = true; ; isFirst = false) {
    turn.decided.clear();
    const { decided } = await review(turn, { ...waited, timeLeftMs });
    for (const actionId of decided) turn.decided.add(actionId);
    if (decided.length > 0) return;
    // A decision that came after the answer is not in it: the turn waits in the database, and is looked at again.
    const isDecided = () => turn.decided.size > 0 || !allHandlersFinished();
    if (!isDecided() && !(isFirst && (await condition(isDecided, momentMs)))) {
      await continueAs(turn.input, { ...waited, timeLeftMs, decided: [] }, longestWaitMs);
    }
    await condition(allHandlersFinished);
  }
}

/**
 * Waits until one of the actions of a turn is decided or over, and then continues as new: the next run makes the steps that
 * follow.
 * @throws ContinueAsNew; CancelledFailure
 */
export async function waitForDecision(turn: RunningTurn, paused: PausedTurn): Promise<never> {
  turn.details.waits(paused.waiting.map(({ call }) => call));
  turn.progress.step = 'waiting';
  for (;;) {
    // First, since the run before may have lost a signal or a cancel request while it ended.
    const { decided, dueAt } = await review(turn, paused);
    if (decided.length > 0) {
      await condition(allHandlersFinished);
      const { turnTimeoutMs, absenceTimeoutMs } = turn.input.limits;
      const runMs = Math.round(paused.timeLeftMs + toSettleReserveMs(turnTimeoutMs)) + absenceTimeoutMs;
      return continueAs(turn.input, { ...paused, decided: [...decided, ...turn.decided] }, runMs);
    }
    await condition(() => turn.decided.size > 0, Math.max(1, dueAt - Date.now()));
    await condition(allHandlersFinished);
    turn.decided.clear();
  }
}

function review(turn: RunningTurn, { waiting, timeLeftMs }: Pick<PausedTurn, 'waiting' | 'timeLeftMs'>) {
  const { workspaceId, turnId, limits } = turn.input;
  return turn.steps.reviewActions({
    ...{ workspaceId, turnId, timeLeftMs },
    actionIds: waiting.map(({ actionId }) => actionId),
    reserveMs: Math.round(toSettleReserveMs(limits.turnTimeoutMs)),
  });
}

async function continueAs(
  input: AgentTurnInput,
  paused: PausedTurn,
  workflowRunTimeout: number,
): Promise<never> {
  // A cancel request does not pass from one run to the next.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The turn was stopped.');
  const { startLimit } = input;
  const next = makeContinueAsNewFunc<Workflow>({ workflowRunTimeout });
  return next({
    ...input,
    ...(startLimit ? { startLimit: { ...startLimit, until: Date.now() + startLimit.timeoutMs } } : {}),
    freshRunAt: Date.now(),
    paused,
  });
}
