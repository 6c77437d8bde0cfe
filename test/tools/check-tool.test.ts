import { expect, test } from 'vitest';
import { createToolCheck } from '../../src/tools/check-tool.ts';
import type { ToolInputOf } from '../../src/domain/tool.ts';
import { createFunctionRegistry } from '../../src/tools/functions/function-registry.ts';

const checkTool = createToolCheck({ functions: createFunctionRegistry() });

const tool: ToolInputOf<'function'> = {
  type: 'function',
  name: 'calculate',
  description: '',
  schema: { type: 'object' },
  config: {},
};

test('a function is known by its configured name, or by its own', () => {
  expect(checkTool(tool)).toEqual([]);
  expect(checkTool({ ...tool, name: 'sum', config: { functionName: 'calculate' } })).toEqual([]);
  expect(checkTool({ ...tool, name: 'constructor' })).toMatchObject([{ field: 'config.functionName' }]);
});

test.each([
  ['mcp', 'server'],
  ['mcp', 'connectionId'],
  ['workflow', 'workflowId'],
  ['knowledge_base', 'knowledgeBaseId'],
  ['agent', 'agentId'],
] as const)('a tool of type %s is led somewhere by %s', (type, field) => {
  expect(checkTool({ ...tool, type, config: {} })).toHaveLength(1);
  expect(checkTool({ ...tool, type, config: { [field]: 'x' } })).toEqual([]);
});

test('a schema that is no JSON Schema is named together with everything else', () => {
  const fields = checkTool({ ...tool, type: 'mcp', config: {}, schema: { type: 'objekt' } }).map(
    ({ field }) => field,
  );
  expect(fields).toEqual(['schema', 'config.server']);
});
