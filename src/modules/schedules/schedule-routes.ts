import { z } from 'zod';
import { createScheduleRepository } from './schedule-repository.ts';
import { createScheduleRunRepository } from './schedule-run-repository.ts';
import {
  backfillSchema,
  scheduleChangeSchema,
  scheduleDetailsSchema,
  scheduleInputSchema,
  scheduleRunSchema,
  scheduleSchema,
} from './schedule.ts';
import { changeSchedule, createSchedule, deleteSchedule } from './change-schedule.ts';
import type { ScheduleDependencies } from './schedule-dependencies.ts';
import { backfillSchedule, readSchedule, runScheduleNow } from './use-schedule.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';

const route = routesOf<ScheduleDependencies>();
const tag = 'schedules';
const answer = z.object({ schedule: scheduleSchema });
const noBody = z.strictObject({}).nullish();

const createScheduleRoute = route({
  method: 'POST',
  path: '/api/schedules',
  operationId: 'createSchedule',
  summary: 'Create a schedule',
  description:
    'Starts a turn, a run of a routine or a replay at set times, by cron expressions, an interval or calendars. Each time ' +
    'runs at most once. A schedule of routines needs the scope `routines:write` as well, one of replays `replays:write`. A ' +
    'workspace has at most 1,000 schedules.',
  tag,
  right: 'schedules.write',
  body: scheduleInputSchema,
  answers: { 201: answer },
  errors: ['CONFLICT', 'FORBIDDEN'],
  handler: async ({ body, actor, dependencies }) => {
    return { status: 201, data: { schedule: await createSchedule(dependencies, actor, body) } };
  },
});

const listSchedules = route({
  method: 'GET',
  path: '/api/schedules',
  operationId: 'listSchedules',
  summary: 'List schedules, newest first',
  tag,
  right: 'schedules.read',
  query: pageQuery,
  answers: { 200: z.object({ schedules: z.array(scheduleSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const page = await inWorkspace((trx) => createScheduleRepository(trx).listSchedules(query));
    return { status: 200, data: { schedules: page.items, nextCursor: page.nextCursor } };
  },
});

const getSchedule = route({
  method: 'GET',
  path: '/api/schedules/:id',
  operationId: 'getSchedule',
  summary: 'Get a schedule with the times of its next runs',
  tag,
  right: 'schedules.read',
  params: idParams,
  answers: { 200: z.object({ schedule: scheduleDetailsSchema }) },
  handler: async ({ params, actor, dependencies }) => {
    return { status: 200, data: { schedule: await readSchedule(dependencies, actor, params.id) } };
  },
});

const updateSchedule = route({
  method: 'PATCH',
  path: '/api/schedules/:id',
  operationId: 'updateSchedule',
  summary: 'Update a schedule',
  description:
    'Each field in the body is replaced as a whole; the other fields stay. Runs that have begun go on.',
  tag,
  right: 'schedules.write',
  params: idParams,
  body: scheduleChangeSchema,
  answers: { 200: answer },
  errors: ['FORBIDDEN'],
  handler: async ({ params: { id }, body: change, actor, dependencies }) => {
    const schedule = await changeSchedule(dependencies, actor, { id, change });
    return { status: 200, data: { schedule } };
  },
});

const deleteScheduleRoute = route({
  method: 'DELETE',
  path: '/api/schedules/:id',
  operationId: 'deleteSchedule',
  summary: 'Delete a schedule',
  description:
    'Deletes the list of its runs too. Turns, replays and runs of routines that it has started go on.',
  tag,
  right: 'schedules.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, actor, dependencies }) => {
    await deleteSchedule(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

/** The route that pauses a schedule, or resumes it. */
function pauseRoute(verb: 'pause' | 'resume', description: string) {
  return route({
    method: 'POST',
    path: `/api/schedules/:id/${verb}`,
    operationId: `${verb}Schedule`,
    summary: `${verb === 'pause' ? 'Pause' : 'Resume'} a schedule`,
    description,
    tag,
    right: 'schedules.write',
    params: idParams,
    body: noBody,
    answers: { 200: answer },
    handler: async ({ params: { id }, actor, dependencies }) => {
      const change = { paused: verb === 'pause' };
      const schedule = await changeSchedule(dependencies, actor, { id, change });
      return { status: 200, data: { schedule } };
    },
  });
}

const runSchedule = route({
  method: 'POST',
  path: '/api/schedules/:id/run',
  operationId: 'runSchedule',
  summary: 'Run a schedule now',
  description: 'Begins a run under the overlap policy of the schedule, also when the schedule is paused.',
  tag,
  right: 'schedules.write',
  params: idParams,
  body: noBody,
  answers: { 202: answer },
  errors: ['SERVICE_UNAVAILABLE'],
  handler: async ({ params, actor, dependencies }) => {
    return { status: 202, data: { schedule: await runScheduleNow(dependencies, actor, params.id) } };
  },
});

const backfillRoute = route({
  method: 'POST',
  path: '/api/schedules/:id/backfill',
  operationId: 'backfillSchedule',
  summary: 'Run a schedule for a time span that is over',
  description:
    'Begins one run after another, unless `overlap` says otherwise. A time that has run does not run again. ' +
    'A span has at most 1,000 runs.',
  tag,
  right: 'schedules.write',
  params: idParams,
  body: backfillSchema,
  answers: { 202: answer },
  errors: ['SERVICE_UNAVAILABLE'],
  handler: async ({ params: { id }, body, actor, dependencies }) => {
    const schedule = await backfillSchedule(dependencies, actor, { ...body, id });
    return { status: 202, data: { schedule } };
  },
});

const listScheduleRuns = route({
  method: 'GET',
  path: '/api/schedules/:id/runs',
  operationId: 'listScheduleRuns',
  clientName: 'schedules.runs.list',
  summary: 'List the runs of a schedule, newest first',
  tag,
  right: 'schedules.read',
  params: idParams,
  query: pageQuery,
  answers: { 200: z.object({ runs: z.array(scheduleRunSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params: { id }, query, inWorkspace }) => {
    const page = await inWorkspace(async (trx) => {
      await createScheduleRepository(trx).getSchedule(id);
      return createScheduleRunRepository(trx).listRuns(id, query);
    });
    return { status: 200, data: { runs: page.items, nextCursor: page.nextCursor } };
  },
});

/** The endpoints of schedules. */
export const scheduleRoutes = [
  createScheduleRoute,
  listSchedules,
  getSchedule,
  updateSchedule,
  deleteScheduleRoute,
  pauseRoute('pause', 'Nothing is made up for when it is resumed, but by a backfill.'),
  pauseRoute('resume', 'It goes on with the next time.'),
  runSchedule,
  backfillRoute,
  listScheduleRuns,
];
