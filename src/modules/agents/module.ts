import './agent-schema-names.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { agentRoutes } from './agent-routes.ts';
import { agentToolRoutes } from './tools/agent-tool-routes.ts';
import { recommendedToolRoutes } from './tools/recommended-tool-routes.ts';
import { agentConfigurationRoutes } from './configuration/agent-configuration-routes.ts';
import { functionRoutes } from './function-routes.ts';
import { workflowTypeRoutes } from './workflow-type-routes.ts';
import { modelRoutes } from './models/model-routes.ts';
import { toolStateSchema } from '../../domain/discovered-tool.ts';
import { agentConfigurationSchema } from '../../domain/connector.ts';
import { workflowTypeSchema } from '../../domain/workflow-target.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'tool.quarantined': true;
    'tool.accepted': true;
    'agent.configured': true;
    'agent.deleted': true;
  }
}

/** The module of agents. */
export const agents = defineModule({
  name: 'agents',
  routes: [
    ...agentRoutes,
    ...agentToolRoutes,
    ...recommendedToolRoutes,
    ...agentConfigurationRoutes,
    ...functionRoutes,
    ...workflowTypeRoutes,
    ...modelRoutes,
  ],
  schemas: {
    ToolState: toolStateSchema,
    AgentConfiguration: agentConfigurationSchema,
    WorkflowType: workflowTypeSchema,
  },
});
