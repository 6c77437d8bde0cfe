import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { ToolOf, ToolRun } from '../../src/domain/tool.ts';
import { toolboxOf } from '../../src/engines/tools/toolbox.ts';

/** Returns a function call with defaults for fields that a test does not set; records its progress. */
export function createFunctionRun(
  name: string,
  toolArguments: JsonObject = {},
  { tool, ...parts }: Partial<Omit<ToolRun, 'tool'>> & { tool?: Partial<ToolOf<'function'>> } = {},
) {
  const progress: (JsonValue | undefined)[] = [];
  const run: ToolRun<'function'> = {
    workspaceId: 'workspace-1',
    agentId: 'agent-1',
    toolbox: toolboxOf({ tools: [], connectors: [] }),
    conversationId: 'conversation-1',
    turnId: 'turn-1',
    toolCallId: 'call-1',
    tool: {
      ...{ id: 'tool-1', name, description: '', type: 'function', schema: { type: 'object' }, config: {} },
      ...tool,
    },
    arguments: toolArguments,
    idempotencyKey: 'key-1',
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    onProgress: (detail) => progress.push(detail),
    ...parts,
  };
  return { run, progress };
}
