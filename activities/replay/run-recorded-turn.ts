import { Context } from '@temporalio/activity';
import { HoldfastError } from '../../src/domain/errors.ts';
import {
  createRecordedCalls,
  type RecordedCalls,
} from '../../src/modules/replays/recorded/recorded-calls.ts';
import { createTurnLines } from '../../src/contract/turn-lines.ts';
import { runTurnLoop, toTurnEnding, TurnStopped } from '../../src/contract/turn-loop.ts';
import type { RunRecordedTurnInput, RunTurnResult } from '../../src/contract/turn-steps.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { ReplayStepDependencies } from './replay-services.ts';
import {
  continuesElsewhere,
  StepStopped,
  toActivityFailure,
  toKnownError,
  toStepError,
} from '../../src/platform/activity/failures.ts';
import { startAttemptClock } from '../../src/platform/activity/attempt-clock.ts';
import { storeDeadline } from '../run-step.ts';
import { watchForStop } from '../../src/platform/activity/watch-for-stop.ts';
import { createHandOver, toShown } from '../turn/run-turn.ts';
import { readRecordedTurn, takeRecorded, toRecordedCalls, type RecordedTurn } from './recorded-turn.ts';
import { createReplayGround } from './replay-ground.ts';
import type { TurnToReplay } from './replayed-turn.ts';
import { storeRecordedStep } from './store-recorded-step.ts';

/** A recorded turn reaches nothing but the model: a call without a recorded result ends it. */
const answerRules = { toolAnswers: {}, onMiss: 'stop', stubs: {} } as const;

/**
 * Runs a turn of a fork from its first missing step on, by the ground of replays: its tool calls get the recorded results of
 * the turn that was forked. Each step is stored before the next one begins.
 */
export function createRunRecordedTurn(dependencies: ReplayStepDependencies) {
  return async (asked: RunRecordedTurnInput): Promise<RunTurnResult> => {
    const context = Context.current();
    const clock = startAttemptClock(context, asked);
    const input = { ...asked, deadlineAt: clock.deadlineAt };
    const progress = { iteration: input.iteration };
    const { wakeups } = dependencies;
    const { signal, close } = watchForStop(context, { ...input, wakeups, details: clock.toDetails });
    const turnLines = createTurnLines(input.model);
    try {
      if (clock.isExtended) await storeDeadline(dependencies, input).catch(() => undefined);
      const end = await runToEnd(dependencies, { input, signal, progress, turnLines });
      return { ...end, iteration: progress.iteration, lines: toShown(turnLines.lines, 0) };
    } finally {
      close();
    }
  };
}

interface RecordedRun {
  input: RunRecordedTurnInput;
  signal: AbortSignal;
  progress: { iteration: number };
  turnLines: ReturnType<typeof createTurnLines>;
}

async function runToEnd(
  dependencies: ReplayStepDependencies,
  run: RecordedRun,
): Promise<Pick<RunTurnResult, 'ending' | 'stopped'>> {
  try {
    return await runOn(dependencies, run);
  } catch (error) {
    if (error instanceof TurnStopped) return { stopped: error.ending };
    if (continuesElsewhere(run.signal.reason)) throw toActivityFailure(createHandOver());
    const known = toKnownError(toStepError(error, run.signal, 'a recorded turn ran'));
    return { stopped: toTurnEnding(known.toInfo()) };
  }
}

async function runOn(
  dependencies: ReplayStepDependencies,
  { input, signal, progress, turnLines }: RecordedRun,
): Promise<Pick<RunTurnResult, 'ending'>> {
  const { workspaceId, conversationId, turnId } = input;
  // A second attempt takes the turn from a first one that was lost, and may be alive.
  const isFirst = Context.current().info.attempt === 1;
  const [, step] = await dependencies.pipelined(workspaceId, ({ context }) =>
    Promise.all([isFirst ? null : context.hold(turnId, newId()), context.findStep(turnId, 0)]),
  );
  if (!step) throw new HoldfastError('NOT_FOUND', `There is no turn ${turnId}.`);
  if (step.outcome !== null) return { ending: { outcome: step.outcome } };
  if (step.cancelRequested) throw new StepStopped('cancelled');
  const { steered, heldBy } = step;
  const own = await readRecordedTurn(dependencies, workspaceId, turnId);
  const parent = await readRecordedTurn(dependencies, workspaceId, input.recordedFrom);
  const lane = { version: own.version, sampling: {}, prices: {} };
  const turn: TurnToReplay = {
    ...{ workspaceId, conversationId, turnId, key: turnId, signal, lane: 'candidate', rules: answerRules },
    ...{ context: own.context, steering: own.steering, responseSchema: own.responseSchema },
    seen: parent.seen,
    recorded: await readRecording(dependencies, { input, own, parent, copied: step.copiedIterations }),
    begun: { answers: own.answers, calls: own.calls, usage: step.usage },
    store: (answered) => storeRecordedStep(dependencies, { ...input, steered, heldBy }, answered),
    storeStart: createStartStore(dependencies, input),
  };
  const services = dependencies.createServices({ workspaceId, replayId: turnId, input: answerRules });
  const { ground } = createReplayGround(services, lane, turn);
  const watch = { ...turnLines, begun: (iteration: number) => Object.assign(progress, { iteration }) };
  const next = (own.answers.at(-1)?.iteration ?? 0) + 1;
  const { ending } = await runTurnLoop({ ...ground, watch }, next);
  if (!ending) throw new Error('a recorded turn was left to another ground');
  return { ending };
}

/** Returns a function that stores the compactions of the forked turn once the fork sees their context. */
function createStartStore(
  { pipelined, notifier }: ReplayStepDependencies,
  { workspaceId, conversationId, turnId }: RunRecordedTurnInput,
): NonNullable<TurnToReplay['storeStart']> {
  let stored = 0;
  return async ({ iteration }) => {
    if (iteration <= stored) return;
    const isNew = await pipelined(workspaceId, ({ compactions }) =>
      compactions.copyRecorded(turnId, iteration),
    );
    stored = iteration;
    if (isNew) notifier.events(conversationId);
  };
}

interface RecordingSource {
  input: RunRecordedTurnInput;
  own: RecordedTurn;
  /** The turn that was forked. */
  parent: RecordedTurn;
  /** How many of its steps the fork has kept. */
  copied: number;
}

/**
 * The recorded calls of the forked turn, with edited copies in place of those that the fork has kept. Calls that the turn
 * has made before take their results first, so that the later ones get the same results whichever attempt asks.
 */
async function readRecording(
  { pipelined }: ReplayStepDependencies,
  { input, own, parent, copied }: RecordingSource,
): Promise<RecordedCalls> {
  const { workspaceId, recordedFrom } = input;
  const later = await pipelined(workspaceId, ({ recordedSteps }) =>
    recordedSteps.listCalls(recordedFrom, copied),
  );
  const kept = own.answers.filter(({ iteration }) => iteration <= copied);
  const calls = [...kept.flatMap(({ toolCalls }) => toolCalls ?? []), ...later];
  const { version } = parent;
  // A tool of the same name is the same tool, though the version of an imported turn has it from nowhere.
  const isOwn = ({ name }: { name: string }) => own.version.tools.some((tool) => tool.name === name);
  const recorded = createRecordedCalls(
    calls.flatMap((call) => toRecordedCalls([call], isOwn(call) ? own.version : version)),
  );
  for (const { toolCalls } of own.answers) {
    const made = (toolCalls ?? []).map((call) => ({
      ...call,
      tool: own.version.tools.find(({ name }) => name === call.name) ?? null,
    }));
    takeRecorded(recorded, made, own.version);
  }
  return recorded;
}
