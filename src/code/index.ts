export { z } from 'zod';
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
  type CodeTool,
  type FunctionToolOptions,
  type GatewayToolOptions,
  type KnowledgeBaseToolOptions,
  type McpToolOptions,
  type WorkflowToolOptions,
} from './define-tools.ts';
