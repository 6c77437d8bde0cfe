import { z } from 'zod';
import type { AgentDependencies } from './agent-dependencies.ts';
import { workflowTypeSchema } from '../../domain/workflow-target.ts';
import { routesOf } from '../../platform/http/route.ts';

const route = routesOf<Pick<AgentDependencies, 'workflowTypes'>>();

/** The endpoints of workflow types. */
export const workflowTypeRoutes = [
  route({
    method: 'GET',
    path: '/api/workflow-types',
    operationId: 'listWorkflowTypes',
    summary: 'List workflow types',
    description:
      'Lists the workflow types that tools can start. The operator names them in the file of ' +
      '`HOLDFAST_WORKFLOWS_CONFIG`. A tool of type `workflow` names one in `config.workflowId`; the arguments of ' +
      'its calls must match `input` too.',
    tag: 'agents',
    right: 'agents.read',
    answers: { 200: z.object({ workflowTypes: z.array(workflowTypeSchema) }) },
    handler: async ({ dependencies, actor }) => {
      const targets = await dependencies.workflowTypes.list(actor.workspaceId);
      const workflowTypes = targets.map(({ id, description, input, detach, timeoutMs }) => ({
        id,
        description,
        input,
        detach,
        timeoutMs,
      }));
      return { status: 200, data: { workflowTypes } };
    },
  }),
];
