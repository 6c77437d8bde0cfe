import { z } from 'zod';
import { beginAgentCall } from './children/begin-agent-call.ts';
import { endAgentCall } from './children/end-agent-call.ts';
import { configText } from './config-fields.ts';
import type { ChildToolType } from './tool-type.ts';

const config = z.object({
  agentId: configText.describe('The agent that is asked'),
  agentName: configText.describe('The name of that agent when the tool was added; set by the server'),
  inheritRules: z
    .boolean()
    .optional()
    .describe('Whether the allowlist and the policies of the calling agent hold in the turns below as well'),
});

declare module '../../domain/tool.ts' {
  interface ToolConfigs {
    agent: z.infer<typeof config>;
  }
}

/** Tools of type `agent`: one agent asks another, in its own turn. */
export const agentTool = {
  type: 'agent',
  config,
  needs: ['agentId'],
  checkTarget: async (tool, { findAgent }) => {
    const { agentId = '' } = tool.config;
    const agent = await findAgent(agentId);
    if (!agent)
      return { tool, errors: [{ field: 'config.agentId', message: `there is no agent ${agentId}` }] };
    return { tool: { ...tool, config: { ...tool.config, agentName: agent.name } }, errors: [] };
  },
  place: ({ config: { agentId = '' } }) => ({ type: 'agent', id: agentId, tools: [''] }),
  route: 'child',
  begin: beginAgentCall,
  end: endAgentCall,
  // The effects of the other agent are in the ledger of its own turn.
  mayHaveActed: () => false,
} satisfies ChildToolType<'agent'>;
