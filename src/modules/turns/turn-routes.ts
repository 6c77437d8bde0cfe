import { z } from 'zod';
import { createTurnListRepository, mostSearched, mostSearchedBytes } from './turn-list-repository.ts';
import { createTurnRepository } from './turn-repository.ts';
import { tagSchema } from '../../domain/conversation.ts';
import { personNameSchema } from '../../domain/person-name.ts';
import { toViewerKey } from '../../domain/row-scope.ts';
import { toolCallDetailsSchema } from '../../domain/tool-response.ts';
import { turnFilterOutcomes } from './turn-filter.ts';
import {
  linkedTurnSchema,
  listedTurnSchema,
  turnDetailsSchema,
  turnInputSchema,
  turnSchema,
} from '../../domain/turn.ts';
import type { ToTemporalUrl } from '../../domain/workflow-link.ts';
import { cancelTurn } from './cancel-turn.ts';
import type { FollowDependencies } from './follow/follow-turn.ts';
import { readLinkedTurn } from './read-turn.ts';
import type { SearchTexts } from './text-searches.ts';
import { chooseTurnId, submitTurn } from './submit-turn.ts';
import type { TurnDependencies } from './turn-dependencies.ts';
import { submitAndWait } from './wait-for-turn.ts';
import { timesOf } from '../../platform/http/report-query.ts';
import { routesOf } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  idParams,
  integerParameter,
  nextCursorSchema,
  pageQuery,
  toReplayedHeaders,
} from '../../platform/http/schemas.ts';

const route = routesOf<
  TurnDependencies &
    Pick<FollowDependencies, 'openStreams'> & { searchTexts: SearchTexts; toTemporalUrl: ToTemporalUrl }
>();
const tag = 'turns';

const createTurn = route({
  method: 'POST',
  path: '/api/conversations/:id/turns',
  operationId: 'createTurn',
  clientName: null,
  summary: 'Start a turn',
  description:
    'Sends a message to the agent of a conversation. Answers 202 once the turn is stored; a stored turn is not ' +
    'lost. With `wait=true` it answers 200 once the turn is over, or 202 when the turn waits for people or is not over ' +
    'at its deadline. While another turn runs in the conversation, `onBusy` decides: `reject` answers 409, `enqueue` lets ' +
    'the message start the next turn, `steer` gives it to the running turn, whose next model call sees it (its own turn ' +
    'ends as `steered`; with `now` the model call that runs ends for it), `interrupt` cancels the running turn, and `rollback` also hides it from later turns. With `responseSchema` the answer is an object that ' +
    'satisfies it, as `answerJson`; otherwise the turn fails with `ANSWER_INVALID`. The answer to a repeated request has ' +
    'the header `Idempotent-Replayed: true`.',
  tag,
  right: 'turns.start',
  params: idParams,
  query: z.strictObject({
    wait: z.enum(['true', 'false']).default('false').describe('Waits for the end of the turn'),
  }),
  headers: idempotencyHeaders,
  body: turnInputSchema,
  answers: { 200: z.object({ turn: turnDetailsSchema }), 202: z.object({ turn: turnSchema }) },
  errors: [
    'TURN_RUNNING',
    'TURN_MISMATCH',
    'ROLLBACK_REFUSED',
    'QUEUE_FULL',
    'IDEMPOTENCY_KEY_REUSED',
    'CONFLICT',
    'TOO_MANY_STREAMS',
  ],
  handler: async (context) => {
    const { params, headers, body, query, actor, log } = context;
    const dependencies = { ...context.dependencies, logger: log };
    const turnId = chooseTurnId(actor, headers['idempotency-key']);
    context.logIds({ turnId });
    const submission = { turnId, conversationId: params.id, input: body };
    if (query.wait === 'false') {
      const { accepted, turn } = await submitTurn(dependencies, actor, submission);
      return { status: 202, data: { turn }, headers: toReplayedHeaders(accepted) };
    }
    const signal = dependencies.openStreams.open(actor, context.openSignal());
    const { accepted, turn } = await submitAndWait(dependencies, actor, { ...submission, signal });
    if (turn.outcome === null) return { status: 202, data: { turn }, headers: toReplayedHeaders(accepted) };
    return { status: 200, data: { turn }, headers: toReplayedHeaders(accepted) };
  },
});

const credits = integerParameter(0, 999_999_999_999_999).optional();

/** The fields of turns that are looked for among so many at a time. */
const searchParameters = {
  tool: z.string().min(1).max(200).optional().describe('Only turns that called this tool'),
  costFrom: credits.describe('Only turns whose own calls cost so many credits or more'),
  costTo: credits.describe('Only turns whose own calls cost fewer credits'),
  durationFrom: integerParameter(0, 999_999_999_999)
    .optional()
    .describe('Only turns that are over and took so many milliseconds or more, from when they were created'),
  text: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Only turns with this text in their messages, in upper or lower case'),
};

const findTurns = route({
  method: 'GET',
  path: '/api/turns',
  operationId: 'findTurns',
  clientName: 'turns.find',
  summary: 'List the turns of the workspace, newest first',
  description:
    'Turns that fit all given fields. A key for one person lists turns in conversations of this person and in those that ' +
    `are shared with it. With \`tool\`, \`costFrom\`, \`costTo\`, \`durationFrom\` or \`text\` a page looks at ${mostSearched} turns at ` +
    `most, those that fit the other fields, and with \`text\` at those whose messages have ${mostSearchedBytes / 1024 ** 2} MiB together: ` +
    'it may have fewer turns than `limit`, or none, and `nextCursor` continues. One search with `text` of a workspace runs ' +
    'at a time; others wait for some seconds, and are then answered with `RATE_LIMITED`. ' +
    'Each turn has the beginning of its message.',
  tag,
  right: 'conversations.read',
  query: pageQuery.extend({
    agentId: z.uuid().optional().describe('Only turns of this agent'),
    conversationId: z.uuid().optional().describe('Only turns of this conversation'),
    person: personNameSchema
      .optional()
      .describe('Only turns that were started for this person, and the turns below'),
    tag: tagSchema.optional().describe('Only turns of conversations with this tag'),
    outcome: z
      .enum(turnFilterOutcomes)
      .optional()
      .describe('Only turns that ended so; `open` for those that are not over'),
    ...timesOf('turns'),
    ...searchParameters,
  }),
  answers: { 200: z.object({ turns: z.array(listedTurnSchema), nextCursor: nextCursorSchema }) },
  errors: ['RATE_LIMITED'],
  handler: async ({ query, actor, dependencies, pipelined }) => {
    const list = { ...query, viewer: toViewerKey(actor) };
    const find = () => pipelined((statements) => createTurnListRepository(statements).listTurns(list));
    const isOfTexts = query.text !== undefined;
    const { items, nextCursor } = await (isOfTexts
      ? dependencies.searchTexts(actor.workspaceId, find)
      : find());
    return { status: 200, data: { turns: items, nextCursor } };
  },
});

const listTurns = route({
  method: 'GET',
  path: '/api/conversations/:id/turns',
  operationId: 'listTurns',
  clientName: 'turns.list',
  summary: 'List the turns of a conversation, newest first',
  tag,
  right: 'conversations.read',
  params: idParams,
  query: pageQuery,
  answers: { 200: z.object({ turns: z.array(turnSchema), nextCursor: nextCursorSchema }) },
  handler: async ({ params, query, pipelined }) => {
    const page = { ...query, conversationId: params.id };
    const { items, nextCursor } = await pipelined((statements) =>
      createTurnRepository(statements).listTurns(page),
    );
    return { status: 200, data: { turns: items, nextCursor } };
  },
});

const getTurn = route({
  method: 'GET',
  path: '/api/turns/:id',
  operationId: 'getTurn',
  summary: 'Get a turn with its tool calls',
  description:
    'With the id of its workflow, and the address of the workflow in the Temporal Web UI where the operator has configured one.',
  tag,
  right: 'conversations.read',
  params: idParams,
  answers: { 200: z.object({ turn: linkedTurnSchema }) },
  handler: async ({ params, dependencies, actor }) => {
    return { status: 200, data: { turn: await readLinkedTurn(dependencies, actor, params.id) } };
  },
});

const getToolCall = route({
  method: 'GET',
  path: '/api/turns/:id/tool-calls/:toolCallId',
  operationId: 'getToolCall',
  clientName: 'turns.toolCall',
  summary: 'Get a tool call of a turn',
  description:
    'Has the whole stored result. A turn with its tool calls has results of 4 MiB together; results that come later are ' +
    'cut to 2,000 characters there, with `resultTruncated` and without `content`.',
  tag,
  right: 'conversations.read',
  params: idParams.extend({ toolCallId: z.uuid() }),
  answers: { 200: z.object({ toolCall: toolCallDetailsSchema }) },
  handler: async ({ params, pipelined }) => {
    const toolCall = await pipelined((statements) =>
      createTurnRepository(statements).getToolCall(params.id, params.toolCallId),
    );
    return { status: 200, data: { toolCall } };
  },
});

const cancelTurnRoute = route({
  method: 'POST',
  path: '/api/turns/:id/cancel',
  operationId: 'cancelTurn',
  clientName: null,
  summary: 'Cancel a turn',
  description:
    'Answers 202 while the turn still has to stop; the event `turn.settled` then has its outcome. ' +
    'Answers 200 when the turn is over: it was still queued, or had ended before.',
  tag,
  right: 'turns.control',
  params: idParams,
  body: z.strictObject({}).nullish(),
  answers: { 200: z.object({ turn: turnSchema }), 202: z.object({ turn: turnSchema }) },
  handler: async ({ params, dependencies, actor, log }) => {
    const { turn, running } = await cancelTurn({ ...dependencies, logger: log }, actor, params.id);
    return running ? { status: 202, data: { turn } } : { status: 200, data: { turn } };
  },
});

/** The endpoints of turns. */
export const turnRoutes = [createTurn, findTurns, listTurns, getTurn, getToolCall, cancelTurnRoute];
