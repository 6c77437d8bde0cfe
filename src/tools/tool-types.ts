/** The types of tool. A new type is a file of its own and one line here; everything else follows from its record. */
export { agentTool } from './agent-tool.ts';
export { functionTool } from './function-tool.ts';
export { knowledgeBaseTool } from './knowledge-base-tool.ts';
export { mcpTool } from './mcp-tool.ts';
export { workflowTool } from './workflow-tool.ts';
