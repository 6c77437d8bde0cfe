export { z } from 'zod';
export { type CodeTool } from './create-tool.ts';
export { defineAgent, type AgentDefinition, type AgentOptions, type RulesOptions } from './define-agent.ts';
export {
  agentTool,
  clientTool,
  functionTool,
  gatewayTool,
  knowledgeBaseTool,
  mcpTool,
  workflowTool,
  type AgentToolOptions,
  type ClientToolOptions,
  type FunctionToolOptions,
  type GatewayToolOptions,
  type KnowledgeBaseToolOptions,
  type McpToolOptions,
  type WorkflowToolOptions,
} from './define-tools.ts';
