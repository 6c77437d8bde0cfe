/**
 * The records of the types of tool: the API, checks, runs and rules follow from them. Agents as code have a helper for each type
 * in `src/clients/code/define-tools.ts`, and `write-agent.ts` beside it writes calls of it: once the client is generated, the
 * compiler asks for both. A type whose calls start children has a branch in `workflows/child-tool-call.ts`.
 */
export { agentTool } from './agent-tool.ts';
export { functionTool } from './function-tool.ts';
export { knowledgeBaseTool } from './knowledge-base-tool.ts';
export { mcpTool } from './mcp-tool.ts';
export { workflowTool } from './workflow-tool.ts';
