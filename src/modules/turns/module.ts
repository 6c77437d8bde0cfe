import { schemaChecksOf } from '../../engines/tools/json-schema/schema-checks.ts';
import type { Database } from '../../platform/database/connect-database.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { createBatchReader } from './follow/batch-reader.ts';
import { createOpenStreams } from './follow/open-streams.ts';
import { createTextSearches } from './text-searches.ts';
import { modelCallRoutes } from './calls/model-call-routes.ts';
import { createTurnEngine } from './turn-engine.ts';
import { conversationRoutes } from './conversations/conversation-routes.ts';
import { contextRoutes } from './context/context-routes.ts';
import { turnAnalyticsRoutes } from './figures/turn-analytics-routes.ts';
import { forkRoutes } from './forks/fork-routes.ts';
import { turnRoutes } from './turn-routes.ts';
import { messageRoutes } from './messages/message-routes.ts';
import { eventRoutes } from './follow/event-routes.ts';
import { turnFiguresSchema } from '../../domain/analytics.ts';
import { conversationSchema, messageSchema } from '../../domain/conversation.ts';
import { turnModelCallSchema } from '../../domain/model-call.ts';
import {
  linkedTurnSchema,
  listedTurnSchema,
  toolCallSchema,
  turnDetailsSchema,
  turnSchema,
  usageSchema,
} from '../../domain/turn.ts';
import { toolCallDetailsSchema, toolResponseSchema } from '../../domain/tool-response.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'tool.executed': true;
    'tool.failed': true;
    'tool.blocked': true;
    'tool.skipped': true;
    'answer.blocked': true;
    'conversation.forked': true;
    'conversation.shared': true;
    'conversation.deleted': true;
  }
}

/** The parts of the API that the module uses. */
export interface ApiParts {
  database: Database;
  /** The maximum number of open streams of one API key, and of one workspace. */
  config: { streamsPerKey: number; streamsPerWorkspace: number };
}

/** The module of turns. */
export const turns = defineModule({
  name: 'turns',
  routes: [
    ...conversationRoutes,
    ...contextRoutes,
    ...forkRoutes,
    ...turnRoutes,
    ...modelCallRoutes,
    ...turnAnalyticsRoutes,
    ...messageRoutes,
    ...eventRoutes,
  ],
  schemas: {
    Conversation: conversationSchema,
    Message: messageSchema,
    Usage: usageSchema,
    ToolCall: toolCallSchema,
    ToolCallDetails: toolCallDetailsSchema,
    ToolResponse: toolResponseSchema,
    Turn: turnSchema,
    ListedTurn: listedTurnSchema,
    TurnDetails: turnDetailsSchema,
    LinkedTurn: linkedTurnSchema,
    TurnFigures: turnFiguresSchema,
    TurnModelCall: turnModelCallSchema,
  },
  engine: ({ toReport, ...parts }) => {
    const { startTurn, cancelTurn, notifyDecision } = createTurnEngine(parts);
    return {
      startTurn: toReport('startTurn', startTurn),
      cancelTurn: toReport('cancelTurn', cancelTurn),
      notifyDecision: toReport('notifyDecision', notifyDecision),
    };
  },
  api: ({ database, config }: ApiParts) => ({
    checksOf: schemaChecksOf,
    readBatch: createBatchReader(database),
    searchTexts: createTextSearches(),
    openStreams: createOpenStreams({
      database,
      mostPerKey: config.streamsPerKey,
      mostPerWorkspace: config.streamsPerWorkspace,
    }),
  }),
});
