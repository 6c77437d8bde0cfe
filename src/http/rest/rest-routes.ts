import type { DependenciesOf, Door } from '../server/door.ts';
import { refuseOtherMethods } from '../server/refuse-other-methods.ts';
import './agent-schema-names.ts';
import './schema-names.ts';
import { actionRoutes } from './action-routes.ts';
import { agentConfigurationRoutes } from './agent-configuration-routes.ts';
import { agentToolRoutes } from './agent-tool-routes.ts';
import { agentRoutes } from './agent-routes.ts';
import { analyticsRoutes } from './analytics-routes.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { approvalGrantRoutes } from './approval-grant-routes.ts';
import { auditRoutes } from './audit-event-routes.ts';
import { blobRoutes } from './blob-routes.ts';
import { budgetRoutes } from './budget-routes.ts';
import { codecRoutes } from './codec-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { connectionToolRoutes } from './connection-tool-routes.ts';
import { connectorRoutes } from './connector-routes.ts';
import { contextRoutes } from './context-routes.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { forkComparisonRoutes } from './fork-comparison-routes.ts';
import { forkRoutes } from './fork-routes.ts';
import { functionRoutes } from './function-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { knowledgeBaseRoutes } from './knowledge-base-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { providerImportRoutes } from './provider-import-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { recordingRoutes } from './recording-routes.ts';
import { recommendedToolRoutes } from './recommended-tool-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { replayReportRoutes } from './replay-report-routes.ts';
import { modelRoutes } from './model-routes.ts';
import { replayRoutes } from './replay-routes.ts';
import { resourceRoutes } from './resource-routes.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { routineRoutes } from './routine-routes.ts';
import { routineRunRoutes } from './routine-run-routes.ts';
import { swarmRoutes } from './swarm-routes.ts';
import { triggerRoutes } from './trigger-routes.ts';
import { turnRoutes } from './turn-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { userTokenRoutes } from './user-token-routes.ts';
import { usageRoutes } from './usage-routes.ts';
import { webhookDeliveryRoutes } from './webhook-delivery-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { workflowTypeRoutes } from './workflow-type-routes.ts';

/** Every endpoint of the API. */
export const routes = [
  ...agentRoutes,
  ...agentToolRoutes,
  ...recommendedToolRoutes,
  ...agentConfigurationRoutes,
  ...connectionRoutes,
  ...connectorRoutes,
  ...conversationRoutes,
  ...contextRoutes,
  ...forkRoutes,
  ...forkComparisonRoutes,
  ...recordingRoutes,
  ...turnRoutes,
  ...messageRoutes,
  ...actionRoutes,
  ...approvalGrantRoutes,
  ...eventRoutes,
  ...functionRoutes,
  ...auditRoutes,
  ...analyticsRoutes,
  ...usageRoutes,
  ...budgetRoutes,
  ...providerRoutes,
  ...providerImportRoutes,
  ...knowledgeBaseRoutes,
  ...connectionToolRoutes,
  ...blobRoutes,
  ...fileRoutes,
  ...apiKeyRoutes,
  ...sessionRoutes,
  ...userTokenRoutes,
  ...peopleRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...replayRoutes,
  ...replayReportRoutes,
  ...resourceRoutes,
  ...scheduleRoutes,
  ...routineRoutes,
  ...routineRunRoutes,
  ...swarmRoutes,
  ...inboxRoutes,
  ...triggerRoutes,
  ...workflowTypeRoutes,
  ...modelRoutes,
  ...codecRoutes,
  ...healthRoutes,
];

/** Everything that the routes of the REST API use. */
export type RestDependencies = DependenciesOf<(typeof routes)[number]['addTo']>;

/** Adds every endpoint of the REST API. */
export const addRestRoutes: Door<RestDependencies> = (server, dependencies, closing) => {
  for (const route of routes) route.addTo(server, dependencies, closing);
  refuseOtherMethods(server, routes);
};
