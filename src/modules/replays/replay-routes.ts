import { z } from 'zod';
import { createReplayRepository } from './replay-repository.ts';
import { findStuck } from '../../platform/work/stuck-workflow-repository.ts';
import { linkedReplaySchema, replayInputSchema, replaySchema } from '../../domain/replay.ts';
import { toWorkflowLink, type ToTemporalUrl } from '../../domain/workflow-link.ts';
import { controlReplay, type ReplayCommand } from './control-replay.ts';
import { createReplay } from './create-replay.ts';
import { toReplayWorkflowId } from './replay-contract.ts';
import type { ReplayDependencies } from './replay-dependencies.ts';
import { routesOf } from '../../platform/http/route.ts';
import { idParams, nextCursorSchema, pageQuery } from '../../platform/http/schemas.ts';

const route = routesOf<ReplayDependencies & { toTemporalUrl: ToTemporalUrl }>();
const tag = 'replays';
const answer = z.object({ replay: replaySchema });

const createReplayRoute = route({
  method: 'POST',
  path: '/api/replays',
  operationId: 'createReplay',
  summary: 'Start a replay of recorded turns',
  description:
    'Runs recorded turns again with another agent version, or with changes to their own. Tool calls get recorded answers: ' +
    'nothing outside is reached but the model, unless `toolAnswers` or `onMiss` say so.',
  tag,
  right: 'replays.run',
  body: replayInputSchema,
  answers: { 201: answer },
  handler: async ({ body, actor, dependencies }) => {
    return { status: 201, data: { replay: await createReplay(dependencies, actor, body) } };
  },
});

const listReplays = route({
  method: 'GET',
  path: '/api/replays',
  operationId: 'listReplays',
  summary: 'List replays, newest first',
  tag,
  right: 'replays.read',
  query: pageQuery,
  answers: { 200: z.object({ replays: z.array(replaySchema), nextCursor: nextCursorSchema }) },
  handler: async ({ query, pipelined }) => {
    const page = await pipelined((run) => createReplayRepository(run).listReplays(query));
    return { status: 200, data: { replays: page.items, nextCursor: page.nextCursor } };
  },
});

const getReplay = route({
  method: 'GET',
  path: '/api/replays/:id',
  operationId: 'getReplay',
  summary: 'Get a replay',
  tag,
  right: 'replays.read',
  params: idParams,
  answers: { 200: z.object({ replay: linkedReplaySchema }) },
  handler: async ({ params, actor, dependencies, pipelined }) => {
    const [replay, stuck] = await pipelined((query) =>
      Promise.all([createReplayRepository(query).getReplay(params.id), findStuck(query, params.id)]),
    );
    const link = toWorkflowLink(dependencies, actor, toReplayWorkflowId({ replayId: params.id }));
    const shown = { ...replay, ...(replay.settledAt === null ? stuck : {}), ...link };
    return { status: 200, data: { replay: shown } };
  },
});

function controlRoute(command: ReplayCommand, description: string) {
  return route({
    method: 'POST',
    path: `/api/replays/:id/${command}`,
    operationId: `${command}Replay`,
    summary: `${command.charAt(0).toUpperCase()}${command.slice(1)} a replay`,
    description,
    tag,
    right: 'replays.control',
    params: idParams,
    body: z.strictObject({}).nullish(),
    answers: { 200: answer },
    errors: ['CONFLICT'],
    handler: async ({ params, actor, dependencies }) => {
      const replay = await controlReplay(dependencies, actor, { replayId: params.id, command });
      return { status: 200, data: { replay } };
    },
  });
}

/** The endpoints of replays. */
export const replayRoutes = [
  createReplayRoute,
  listReplays,
  getReplay,
  controlRoute(
    'pause',
    'Runs that have begun end first. A replay that is paused waits for as long as it takes.',
  ),
  controlRoute('resume', 'The replay goes on with the runs that are not stored yet.'),
  controlRoute('cancel', 'Runs that have begun end first; the report has what was run until then.'),
];
