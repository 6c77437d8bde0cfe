import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import proto from '@temporalio/proto';
import type { WorkflowBundle } from '@temporalio/worker';
import pLimit from 'p-limit';
import type { JsonObject } from '../../../../src/domain/json.ts';
import type { RoutineRunDetails } from '../../../../src/domain/routine.ts';
import { HoldfastError } from '../../../../src/domain/errors.ts';
import { checkHistories } from '../../../../src/main/history-check/check-histories.ts';
import type { ReadHistory } from '../../../../src/main/history-check/saved-history.ts';
import { fetchTurnHistory } from '../../../labs/histories.ts';
import type { RoutineScene } from '../../../labs/routine-scene.ts';
import type { TurnLab } from '../../../labs/turn-lab.ts';
import { createMemoryGround, playDocument } from '../memory-ground.ts';
import { childRoutine, type RandomRoutine } from './routine-arbitrary.ts';

/** A routine that did not do as it should, and why. */
interface BrokenRoutine extends RandomRoutine {
  /** Its place in the sample of the seed. */
  index: number;
  problems: string[];
}

interface Stage {
  lab: TurnLab;
  scene: RoutineScene;
  bundle: WorkflowBundle;
}

/** How many runs there are at the same time. */
const parallel = 8;

const input = { n: 3 };

/** Runs routines, and returns those that hung, broke a workflow task, left a step open, or are replayed in another way. */
export async function playRoutines(stage: Stage, routines: RandomRoutine[]): Promise<BrokenRoutine[]> {
  await stage.scene.store(
    JSON.stringify({
      document: { dsl: '1.0.0', ...childRoutine },
      do: [{ pause: { wait: { milliseconds: 20 } } }, { give: { set: { given: '${ .n + 1 }' } } }],
    }),
  );
  const limit = pLimit(parallel);
  const played = await Promise.all(
    routines.map((routine, index) =>
      limit(async () => ({ ...routine, index, problems: await findProblems(stage, routine, index) })),
    ),
  );
  return played.filter(({ problems }) => problems.length > 0);
}

async function findProblems(stage: Stage, routine: RandomRoutine, index: number): Promise<string[]> {
  const { lab, scene } = stage;
  const document = toDocument(routine, index);
  const { id } = await scene.store(JSON.stringify(document));
  const runId = await scene.start(id, input);
  if (routine.command) await control(scene, runId, routine.command);
  const run = await scene.end(runId).catch(() => null);
  if (!run) return [`run ${runId} has not ended`];
  await lab.client.workflow
    .getHandle(`turn-${runId}`)
    .result()
    .catch(() => undefined);
  const history = await fetchTurnHistory(lab, runId);
  const saved = { name: runId, workflowId: `turn-${runId}`, isMasked: false, history, noted: [] };
  return [
    ...listOpenSteps(run),
    ...listFailedTasks(saved),
    ...(await listDifferences(stage, saved)),
    ...(routine.isCalm ? await compareOutput(document, run) : []),
  ];
}

function toDocument({ tasks }: RandomRoutine, index: number): JsonObject {
  const document = { dsl: '1.0.0', namespace: 'test', name: `random-${index}`, version: '1.0.0' };
  return { document, do: tasks };
}

/** A run that has ended by then refuses the command. */
async function control(
  scene: RoutineScene,
  runId: string,
  { name, mode, afterMs }: NonNullable<RandomRoutine['command']>,
): Promise<void> {
  await sleep(afterMs);
  try {
    if (name === 'stop') await scene.control(runId, { name, mode });
    else {
      await scene.control(runId, { name });
      await scene.control(runId, { name: 'resume' });
    }
  } catch (error) {
    if (!(error instanceof HoldfastError && error.code === 'CONFLICT')) throw error;
  }
}

function listOpenSteps({ steps }: RoutineRunDetails): string[] {
  return steps
    .filter(({ endedAt, state }) => endedAt === null || state === 'running' || state === 'waiting')
    .map(({ path, state }) => `the step ${path} is still ${state}`);
}

/** A task that ends the workflow while an event comes is refused by Temporal, and repeated with the event. */
const { WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND: unhandledCommand } =
  proto.temporal.api.enums.v1.WorkflowTaskFailedCause;

function listFailedTasks({ history }: ReadHistory): string[] {
  return (history.events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
    failed && failed.cause !== unhandledCommand ? [`a workflow task failed: ${failed.failure?.message}`] : [],
  );
}

/** A task that timed out on a busy machine is repeated later, and its times with it. */
const timeAlone = /: expected "\d{4}-\d\d-\d\dT[^"]+Z", found "\d{4}-\d\d-\d\dT[^"]+Z"$/;

async function listDifferences({ bundle }: Stage, saved: ReadHistory): Promise<string[]> {
  const problems: string[] = [];
  for await (const checked of checkHistories(bundle, [saved])) problems.push(...checked.problems);
  return problems
    .filter((problem) => !timeAlone.test(problem))
    .map((problem) => `a replay differs: ${problem}`);
}

/** The same document, run in memory. */
async function compareOutput(document: JsonObject, run: RoutineRunDetails): Promise<string[]> {
  const ground = createMemoryGround({ call: () => 42 });
  const { output } = await playDocument(document, input, ground);
  if (isDeepStrictEqual(output, run.output)) return [];
  return [`the output is ${JSON.stringify(run.output)}, and not ${JSON.stringify(output)}`];
}
