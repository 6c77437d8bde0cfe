import { z } from 'zod';
import { beginWorkflowCall } from './children/begin-workflow-call.ts';
import { endWorkflowCall } from './children/end-workflow-call.ts';
import { configText } from './config-fields.ts';
import type { ChildToolType } from './tool-type.ts';

const config = z.object({
  workflowId: configText.describe("The id of the workflow in the operator's catalogue"),
  detach: z
    .boolean()
    .optional()
    .describe('Whether the call answers with the id of the run at once instead of waiting for its end'),
});

declare module '../../domain/tool.ts' {
  interface ToolConfigs {
    workflow: z.infer<typeof config>;
  }
}

/** Tools of type `workflow`: workflows of the operator. */
export const workflowTool = {
  type: 'workflow',
  config,
  needs: ['workflowId'],
  checkTarget: async (tool, { findWorkflow, listWorkflows }) => {
    const { workflowId = '' } = tool.config;
    if (await findWorkflow(workflowId)) return { tool, errors: [] };
    const known = (await listWorkflows()).map(({ id }) => id).join(', ') || 'none';
    const message = `there is no workflow "${workflowId}"; known are: ${known}`;
    return { tool, errors: [{ field: 'config.workflowId', message }] };
  },
  place: ({ config: { workflowId = '' } }) => ({ type: 'workflow', id: workflowId, tools: [''] }),
  route: 'child',
  begin: beginWorkflowCall,
  end: endWorkflowCall,
  // The id of the workflow is stored before the workflow is started: without one it was never started.
  mayHaveActed: ({ child_workflow_id: workflowId }) => workflowId !== null,
} satisfies ChildToolType<'workflow'>;
