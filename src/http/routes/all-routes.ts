import type { Route } from '../route.ts';
import { agentConfigurationRoutes } from './agent-configuration.ts';
import { agentToolRoutes } from './agent-tools.ts';
import { agentRoutes } from './agents.ts';
import { analyticsRoutes } from './analytics.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { auditRoutes } from './audit-events.ts';
import { blobRoutes } from './blobs.ts';
import { codecRoutes } from './codec.ts';
import { connectionRoutes } from './connections.ts';
import { connectionToolRoutes } from './connection-tools.ts';
import { connectorRoutes } from './connectors.ts';
import { conversationRoutes } from './conversations.ts';
import { eventRoutes } from './events.ts';
import { functionRoutes } from './functions.ts';
import { healthRoutes } from './health.ts';
import { knowledgeBaseRoutes } from './knowledge-bases.ts';
import { providerRoutes } from './providers.ts';
import { recommendedToolRoutes } from './recommended-tools.ts';
import { turnRoutes } from './turns.ts';
import { workflowTypeRoutes } from './workflow-types.ts';

/** Every endpoint of the API. */
export const routes: Route[] = [
  ...agentRoutes,
  ...agentToolRoutes,
  ...recommendedToolRoutes,
  ...agentConfigurationRoutes,
  ...connectionRoutes,
  ...connectorRoutes,
  ...conversationRoutes,
  ...turnRoutes,
  ...eventRoutes,
  ...functionRoutes,
  ...auditRoutes,
  ...analyticsRoutes,
  ...providerRoutes,
  ...knowledgeBaseRoutes,
  ...connectionToolRoutes,
  ...blobRoutes,
  ...apiKeyRoutes,
  ...workflowTypeRoutes,
  ...codecRoutes,
  ...healthRoutes,
];
