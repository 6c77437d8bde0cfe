import { z } from 'zod';
import { createRoutineRepository } from './routine-repository.ts';
import {
  routineChangeSchema,
  routineDetailsSchema,
  routineEventSchema,
  routineInputSchema,
  routineSchema,
} from '../../domain/routine.ts';
import { emitEvent } from './runs/emit-event.ts';
import { toPersonCaller } from '../../domain/resource-caller.ts';
import type { RoutineDependencies } from './routine-dependencies.ts';
import { createRoutine, deleteRoutine, getRoutine, updateRoutine } from './store-routine.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';

const route = routesOf<RoutineDependencies>();
const tag = 'routines';
const answer = z.object({ routine: routineDetailsSchema });

const createRoutineRoute = route({
  method: 'POST',
  path: '/api/routines',
  operationId: 'createRoutine',
  summary: 'Create a routine',
  description:
    'Stores a document of the CNCF Serverless Workflow standard 1.0, as YAML, as JSON or as an object. What cannot be run is ' +
    'refused with its path.',
  tag,
  right: 'routines.write',
  body: routineInputSchema,
  answers: { 201: answer },
  errors: ['CONFLICT'],
  handler: async ({ body: { actingFor, ...input }, actor, dependencies }) => {
    const { maker: owner } = toPersonCaller(actor, actingFor);
    return {
      status: 201,
      data: { routine: await createRoutine(dependencies, actor, { ...input, owner }) },
    };
  },
});

const listRoutines = route({
  method: 'GET',
  path: '/api/routines',
  operationId: 'listRoutines',
  summary: 'List routines, newest first',
  tag,
  right: 'routines.read',
  query: pageQuery,
  answers: { 200: z.object({ routines: z.array(routineSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, inWorkspace }) => {
    const page = await inWorkspace((trx) => createRoutineRepository(trx).listRoutines(query));
    return { status: 200, data: { routines: page.items, nextCursor: page.nextCursor } };
  },
});

const getRoutineRoute = route({
  method: 'GET',
  path: '/api/routines/:id',
  operationId: 'getRoutine',
  summary: 'Get a routine with its document and its flowchart',
  tag,
  right: 'routines.read',
  params: idParams,
  answers: { 200: answer },
  handler: async ({ params, actor, dependencies }) => ({
    status: 200,
    data: { routine: await getRoutine(dependencies, actor, params.id) },
  }),
});

const updateRoutineRoute = route({
  method: 'PATCH',
  path: '/api/routines/:id',
  operationId: 'updateRoutine',
  summary: 'Update a routine with a new version',
  description: 'Runs that have begun keep their version.',
  tag,
  right: 'routines.write',
  params: idParams,
  body: routineChangeSchema,
  answers: { 200: answer },
  errors: ['CONFLICT'],
  handler: async ({ params: { id }, body: { actingFor, ...change }, actor, dependencies }) => {
    const { maker: madeBy } = toPersonCaller(actor, actingFor);
    return {
      status: 200,
      data: { routine: await updateRoutine(dependencies, actor, { ...change, id, madeBy }) },
    };
  },
});

const deleteRoutineRoute = route({
  method: 'DELETE',
  path: '/api/routines/:id',
  operationId: 'deleteRoutine',
  summary: 'Delete a routine',
  description: 'Runs that have begun go on.',
  tag,
  right: 'routines.write',
  params: idParams,
  answers: { 200: z.object({ deleted: z.literal(true) }) },
  handler: async ({ params, actor, dependencies }) => {
    await deleteRoutine(dependencies, actor, params.id);
    return { status: 200, data: { deleted: true } };
  },
});

const emitRoutineEvent = route({
  method: 'POST',
  path: '/api/routine-events',
  operationId: 'emitRoutineEvent',
  clientName: 'routines.emit',
  summary: 'Emit an event to the routines that listen',
  description:
    'The event has the attributes of CloudEvents. A run takes events that come after it has begun to listen.',
  tag,
  right: 'routines.control',
  body: routineEventSchema,
  answers: { 202: z.object({ id: z.string() }) },
  handler: async ({ body, actor, dependencies }) => ({
    status: 202,
    data: await emitEvent(dependencies, actor, body),
  }),
});

/** The endpoints of routines, and of the events between their runs. */
export const routineRoutes = [
  createRoutineRoute,
  listRoutines,
  getRoutineRoute,
  updateRoutineRoute,
  deleteRoutineRoute,
  emitRoutineEvent,
];
