import { z } from 'zod';
import { createRoutineRunRepository } from './routine-run-repository.ts';
import { toActorRef } from '../../../domain/actor.ts';
import {
  linkedRunSchema,
  mostShownSteps,
  routineRunDetailsSchema,
  routineRunSchema,
  routineStepSchema,
  runInputSchema,
  stopInputSchema,
} from '../../../domain/routine.ts';
import { toWorkflowLink, type ToTemporalUrl } from '../../../domain/workflow-link.ts';
import { toTurnWorkflowId } from '../../../contract/submission.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { controlRun } from './control-run.ts';
import { readRun, waitForRun } from './read-run.ts';
import type { RoutineDependencies } from '../routine-dependencies.ts';
import { startRun } from './start-run.ts';
import type { FollowDependencies } from '../../turns/follow/follow-turn.ts';
import { routesOf } from '../../../platform/http/route.ts';
import {
  idParams,
  idempotencyHeaders,
  integerParameter,
  nextCursorSchema,
  pageQuery,
} from '../../../platform/http/schemas.ts';

const route = routesOf<
  RoutineDependencies & Pick<FollowDependencies, 'openStreams'> & { toTemporalUrl: ToTemporalUrl }
>();
const tag = 'routines';
const answer = z.object({ run: routineRunDetailsSchema });

const startRoutineRun = route({
  method: 'POST',
  path: '/api/routines/:id/runs',
  operationId: 'startRoutineRun',
  clientName: 'routines.start',
  summary: 'Start a run of a routine',
  description:
    'The run acts as the agent of the routine; one that names none needs `agentId`. With `waitMs` the answer comes when the run is over, or after that time; ' +
    'the run goes on. The same `Idempotency-Key` finds the same run.',
  tag,
  right: 'routines.run',
  params: idParams,
  headers: idempotencyHeaders,
  body: runInputSchema,
  answers: { 200: answer, 202: answer },
  errors: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED', 'TOO_MANY_STREAMS'],
  handler: async ({ params, headers, body, actor, dependencies, openSignal, logIds }) => {
    const { input = {}, waitMs = 0, agentId } = body;
    const { workspaceId } = actor;
    const idempotencyKey = headers['idempotency-key'] ?? newId();
    const startedBy = toActorRef(actor, undefined);
    const signal = waitMs > 0 ? dependencies.openStreams.open(actor, openSignal()) : openSignal();
    const started = await startRun(dependencies, {
      ...{ workspaceId, routineId: params.id, input, idempotencyKey, startedBy, agentId },
    });
    const runId = started.run.id;
    logIds({ runId });
    await waitForRun(dependencies, actor, { runId, waitMs, signal });
    const run = await readRun(dependencies, actor, runId);
    return run.settledAt === null ? { status: 202, data: { run } } : { status: 200, data: { run } };
  },
});

const listRoutineRuns = route({
  method: 'GET',
  path: '/api/routine-runs',
  operationId: 'listRoutineRuns',
  summary: 'List runs of routines, newest first',
  tag,
  right: 'routines.read',
  query: pageQuery.extend({ routineId: z.uuid().optional() }),
  answers: { 200: z.object({ runs: z.array(routineRunSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, pipelined }) => {
    const page = await pipelined((run) => createRoutineRunRepository(run).listRuns(query));
    return { status: 200, data: { runs: page.items, nextCursor: page.nextCursor } };
  },
});

const getRoutineRun = route({
  method: 'GET',
  path: '/api/routine-runs/:id',
  operationId: 'getRoutineRun',
  summary: 'Get a run of a routine with its newest steps',
  description: `Shows at most ${mostShownSteps} steps; the others are in the pages of its steps.`,
  tag,
  right: 'routines.read',
  params: idParams,
  answers: { 200: z.object({ run: linkedRunSchema }) },
  handler: async ({ params, actor, dependencies }) => {
    const run = await readRun(dependencies, actor, params.id);
    const link = toWorkflowLink(dependencies, actor, toTurnWorkflowId(params.id));
    return { status: 200, data: { run: { ...run, ...link } } };
  },
});

const listRoutineSteps = route({
  method: 'GET',
  path: '/api/routine-runs/:id/steps',
  operationId: 'listRoutineSteps',
  summary: 'List the stored steps of a run in their order',
  description:
    'A step is stored soon after it has ended. `nextAfter` is the number to go on from; null on the last page.',
  tag,
  right: 'routines.read',
  params: idParams,
  query: z.strictObject({
    after: integerParameter(0, 2_147_483_647)
      .default(0)
      .describe('The number of the last step of the page before'),
    limit: integerParameter(1, mostShownSteps).default(100),
  }),
  answers: { 200: z.object({ steps: z.array(routineStepSchema), nextAfter: z.int().nullable() }) },
  handler: async ({ params: { id }, query: { after, limit }, pipelined }) => {
    const [, found] = await pipelined((query) => {
      const runs = createRoutineRunRepository(query);
      return Promise.all([runs.getRun(id), runs.listSteps(id, { after, most: limit + 1 })]);
    });
    const steps = found.slice(0, limit);
    const nextAfter = found.length > limit ? (steps.at(-1)?.number ?? null) : null;
    return { status: 200, data: { steps, nextAfter } };
  },
});

function controlRoute(name: 'pause' | 'resume', description: string) {
  return route({
    method: 'POST',
    path: `/api/routine-runs/:id/${name}`,
    operationId: `${name}RoutineRun`,
    summary: `${name.charAt(0).toUpperCase()}${name.slice(1)} a run of a routine`,
    description,
    tag,
    right: 'routines.control',
    params: idParams,
    body: z.strictObject({}).nullish(),
    answers: { 200: answer },
    errors: ['CONFLICT', 'WORKFLOW_STUCK'],
    handler: async ({ params, actor, dependencies }) => {
      const run = await controlRun(dependencies, actor, { runId: params.id, command: { name } });
      return { status: 200, data: { run } };
    },
  });
}

const stopRoutineRun = route({
  method: 'POST',
  path: '/api/routine-runs/:id/stop',
  operationId: 'stopRoutineRun',
  summary: 'Stop a run of a routine',
  description:
    '`graceful` lets the steps that run end first, `now` cancels them. A run whose workflow is `stuck` is stopped too: the ' +
    'answer comes before its end, and the run is then `faulted`.',
  tag,
  right: 'routines.control',
  params: idParams,
  body: stopInputSchema.nullish(),
  answers: { 200: answer },
  errors: ['CONFLICT'],
  handler: async ({ params, body, actor, dependencies }) => {
    const command = { name: 'stop' as const, mode: body?.mode ?? 'graceful' };
    const run = await controlRun(dependencies, actor, { runId: params.id, command });
    return { status: 200, data: { run } };
  },
});

/** The endpoints of runs of routines. */
export const routineRunRoutes = [
  startRoutineRun,
  listRoutineRuns,
  getRoutineRun,
  listRoutineSteps,
  controlRoute('pause', 'The steps that run end first. A paused run waits for as long as it takes.'),
  controlRoute('resume', 'The run goes on with its next step.'),
  stopRoutineRun,
];
