import type { DependenciesOf, Door } from '../platform/http/door.ts';
import { refuseOtherMethods } from '../platform/http/refuse-other-methods.ts';
import '../modules/agents/agent-schema-names.ts';
import './schema-names.ts';
import { actionRoutes } from '../modules/actions/action-routes.ts';
import { agentConfigurationRoutes } from '../modules/agents/configuration/agent-configuration-routes.ts';
import { agentToolRoutes } from '../modules/agents/tools/agent-tool-routes.ts';
import { agentRoutes } from '../modules/agents/agent-routes.ts';
import { analyticsRoutes } from '../modules/credits/usage/analytics-routes.ts';
import { apiKeyRoutes } from '../modules/workspaces/keys/api-key-routes.ts';
import { approvalGrantRoutes } from '../modules/actions/approval-grant-routes.ts';
import { auditRoutes } from '../modules/audit/audit-event-routes.ts';
import { blobRoutes } from '../modules/files/blob-routes.ts';
import { budgetRoutes } from '../modules/credits/budgets/budget-routes.ts';
import { codecRoutes } from './codec-routes.ts';
import { connectionRoutes } from '../modules/connections/connection-routes.ts';
import { connectionToolRoutes } from '../modules/connections/connection-tool-routes.ts';
import { connectorRoutes } from '../modules/connections/connectors/connector-routes.ts';
import { contextRoutes } from '../modules/turns/context/context-routes.ts';
import { conversationRoutes } from '../modules/turns/conversations/conversation-routes.ts';
import { eventRoutes } from '../modules/turns/events/event-routes.ts';
import { fileRoutes } from '../modules/files/file-routes.ts';
import { forkComparisonRoutes } from '../modules/replays/compare/fork-comparison-routes.ts';
import { forkRoutes } from '../modules/turns/forks/fork-routes.ts';
import { functionRoutes } from '../modules/agents/function-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { inboxRoutes } from '../modules/inbox/inbox-routes.ts';
import { knowledgeBaseRoutes } from '../modules/knowledge/bases/knowledge-base-routes.ts';
import { peopleRoutes } from '../modules/workspaces/people/people-routes.ts';
import { providerImportRoutes } from '../modules/imports/provider-import-routes.ts';
import { providerRoutes } from '../modules/imports/provider-routes.ts';
import { recordingRoutes } from '../modules/recordings/recording-routes.ts';
import { recommendedToolRoutes } from '../modules/agents/tools/recommended-tool-routes.ts';
import { messageRoutes } from '../modules/turns/messages/message-routes.ts';
import { replayReportRoutes } from '../modules/replays/report/replay-report-routes.ts';
import { modelRoutes } from '../modules/agents/models/model-routes.ts';
import { replayRoutes } from '../modules/replays/replay-routes.ts';
import { resourceRoutes } from '../modules/resources/resource-routes.ts';
import { scheduleRoutes } from '../modules/schedules/schedule-routes.ts';
import { routineRoutes } from '../modules/routines/routine-routes.ts';
import { routineRunRoutes } from '../modules/routines/runs/routine-run-routes.ts';
import { swarmRoutes } from '../modules/swarms/swarm-routes.ts';
import { triggerRoutes } from '../modules/triggers/trigger-routes.ts';
import { turnRoutes } from '../modules/turns/turn-routes.ts';
import { sessionRoutes } from '../modules/workspaces/login/session-routes.ts';
import { userTokenRoutes } from '../modules/workspaces/people/user-token-routes.ts';
import { usageRoutes } from '../modules/credits/usage/usage-routes.ts';
import { webhookDeliveryRoutes } from '../modules/webhooks/deliveries/webhook-delivery-routes.ts';
import { webhookRoutes } from '../modules/webhooks/webhook-routes.ts';
import { workflowTypeRoutes } from '../modules/agents/workflow-type-routes.ts';

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
