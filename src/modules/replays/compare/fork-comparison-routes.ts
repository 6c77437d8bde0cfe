import { z } from 'zod';
import type { Database } from '../../../platform/database/connect-database.ts';
import { comparisonSchema, replayedTurnSchema } from '../../../domain/replay.ts';
import { compareConversations } from './compare-conversations.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams } from '../../../platform/http/schemas.ts';

const route = routesOf<{ database: Pick<Database, 'transact'> }>();

const comparedSchema = z.object({ conversationId: z.string(), turns: z.array(replayedTurnSchema) });

const compareRoute = route({
  method: 'GET',
  path: '/api/conversations/:id/compare',
  operationId: 'compareConversations',
  summary: 'Compare a fork with its parent or with another fork',
  description:
    'Compares the turns of both conversations after the place where they part, at most 100 of each, as a replay compares ' +
    'its runs with the recorded ones. The other conversation is the original.',
  tag: 'conversations',
  right: 'conversations.read',
  params: idParams,
  query: z.strictObject({ with: z.uuid().describe('The conversation to compare with') }),
  answers: {
    200: z.object({ original: comparedSchema, run: comparedSchema, comparison: comparisonSchema }),
  },
  errors: ['TURN_RUNNING'],
  handler: async ({ params, query, actor, dependencies }) => {
    const data = await compareConversations(dependencies, actor, {
      conversationId: params.id,
      originalId: query.with,
    });
    return { status: 200, data };
  },
});

/** The endpoint that compares forks. */
export const forkComparisonRoutes = [compareRoute];
