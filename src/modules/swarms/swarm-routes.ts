import { z } from 'zod';
import { createSwarmRepository } from './swarm-repository.ts';
import { toActorRef } from '../../domain/actor.ts';
import {
  linkedSwarmSchema,
  swarmChangeSchema,
  swarmDetailsSchema,
  swarmEndSchema,
  swarmInputSchema,
  swarmSchema,
} from '../../domain/swarm.ts';
import { toWorkflowLink, type ToTemporalUrl } from '../../domain/workflow-link.ts';
import { newId, toSwarmId } from '../../platform/lib/ids.ts';
import { controlSwarm, type SwarmCommand } from './control-swarm.ts';
import { createSwarm } from './create-swarm.ts';
import { endSwarm } from './end-swarm.ts';
import { readSwarm } from './read-swarm.ts';
import { toSwarmWorkflowId } from './swarm-contract.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { updateSwarmState } from './update-swarm-state.ts';
import { routesOf } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  idParams,
  nextCursorSchema,
  pageQuery,
  toReplayedHeaders,
} from '../../platform/http/schemas.ts';

const route = routesOf<SwarmDependencies & { toTemporalUrl: ToTemporalUrl }>();
const tag = 'swarms';
const answer = z.object({ swarm: swarmDetailsSchema });

const startSwarm = route({
  method: 'POST',
  path: '/api/swarms',
  operationId: 'createSwarm',
  summary: 'Start a swarm',
  description:
    'Lets several agents work on one goal. The leader plans by setting subtasks, each for an agent; they run as soon as the ' +
    'subtasks that they depend on are done. The first subtasks may be given. The answer to a repeated request has the ' +
    'header `Idempotent-Replayed: true`.',
  tag,
  right: 'swarms.write',
  headers: idempotencyHeaders,
  body: swarmInputSchema,
  answers: { 201: answer },
  errors: ['IDEMPOTENCY_KEY_REUSED', 'CONFLICT'],
  handler: async ({ headers, body, actor, dependencies }) => {
    const key = headers['idempotency-key'];
    const swarmId = key === undefined ? newId() : toSwarmId(actor.workspaceId, key);
    const order = { swarmId, input: body, startedBy: toActorRef(actor, undefined) };
    const { accepted, swarm } = await createSwarm(dependencies, actor, order);
    return { status: 201, data: { swarm }, headers: toReplayedHeaders(accepted) };
  },
});

const listSwarms = route({
  method: 'GET',
  path: '/api/swarms',
  operationId: 'listSwarms',
  summary: 'List swarms, newest first',
  tag,
  right: 'swarms.read',
  query: pageQuery,
  answers: { 200: z.object({ swarms: z.array(swarmSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, pipelined }) => {
    const page = await pipelined((run) => createSwarmRepository(run).listSwarms(query));
    return { status: 200, data: { swarms: page.items, nextCursor: page.nextCursor } };
  },
});

const getSwarm = route({
  method: 'GET',
  path: '/api/swarms/:id',
  operationId: 'getSwarm',
  summary: 'Get a swarm with its shared state',
  tag,
  right: 'swarms.read',
  params: idParams,
  answers: { 200: z.object({ swarm: linkedSwarmSchema }) },
  handler: async ({ params, actor, dependencies }) => {
    const swarm = await readSwarm(dependencies, { ...actor, swarmId: params.id });
    const link = toWorkflowLink(dependencies, actor, toSwarmWorkflowId({ swarmId: params.id }));
    return { status: 200, data: { swarm: { ...swarm, ...link } } };
  },
});

const updateState = route({
  method: 'PATCH',
  path: '/api/swarms/:id',
  operationId: 'updateSwarm',
  summary: 'Change the shared state of a swarm',
  description:
    'Sets and deletes subtasks and items of the blackboard, as a whole or not at all. Subtasks that are there keep their ' +
    '`created_at`; new ones begin while the swarm runs. Concurrent changes lose nothing. A change with an `Idempotency-Key` ' +
    'is applied once.',
  tag,
  right: 'swarms.write',
  params: idParams,
  headers: idempotencyHeaders,
  body: swarmChangeSchema,
  answers: { 200: answer },
  errors: ['CONFLICT'],
  handler: async ({ params, headers, body, actor, dependencies, log }) => {
    const update = { change: body, actor, key: headers['idempotency-key'] ?? newId() };
    const ref = { workspaceId: actor.workspaceId, swarmId: params.id };
    const swarm = await updateSwarmState({ ...dependencies, logger: log }, ref, update);
    return { status: 200, data: { swarm } };
  },
});

const end = route({
  method: 'POST',
  path: '/api/swarms/:id/end',
  operationId: 'endSwarm',
  summary: 'End a swarm',
  description:
    'Nothing more begins, in the swarms inside of it neither. With `graceful` subtasks that run finish; with `force` they ' +
    'are stopped. The swarm has its final state once `settledAt` is set.',
  tag,
  right: 'swarms.write',
  params: idParams,
  body: swarmEndSchema,
  answers: { 200: answer },
  handler: async ({ params, body, actor, dependencies, log }) => {
    const ref = { workspaceId: actor.workspaceId, swarmId: params.id };
    const swarm = await endSwarm({ ...dependencies, logger: log }, ref, { ...body, actor });
    return { status: 200, data: { swarm } };
  },
});

function controlRoute(command: SwarmCommand, description: string) {
  return route({
    method: 'POST',
    path: `/api/swarms/:id/${command}`,
    operationId: `${command}Swarm`,
    summary: `${command.charAt(0).toUpperCase()}${command.slice(1)} a swarm`,
    description,
    tag,
    right: 'swarms.write',
    params: idParams,
    body: z.strictObject({}).nullish(),
    answers: { 200: z.object({ swarm: swarmSchema }) },
    errors: ['CONFLICT'],
    handler: async ({ params, actor, dependencies }) => {
      const ref = { workspaceId: actor.workspaceId, swarmId: params.id, actor };
      const swarm = await controlSwarm(dependencies, ref, command);
      return { status: 200, data: { swarm } };
    },
  });
}

/** The endpoints of swarms. */
export const swarmRoutes = [
  startSwarm,
  listSwarms,
  getSwarm,
  updateState,
  end,
  controlRoute(
    'pause',
    'Subtasks that run finish, and none begins until the swarm is resumed. Its time runs on.',
  ),
  controlRoute('resume', 'Subtasks begin again.'),
];
