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

test('a function is found by its configured name, or by the name of the tool', () => {
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
] as const)('a tool of type %s is valid with the target field %s', (type, field) => {
  expect(checkTool({ ...tool, type, config: {} })).toHaveLength(1);
  expect(checkTool({ ...tool, type, config: { [field]: 'x' } })).toEqual([]);
});

test('an invalid JSON Schema is reported together with the other invalid fields', () => {
  const fields = checkTool({ ...tool, type: 'mcp', config: {}, schema: { type: 'objekt' } }).map(
    ({ field }) => field,
  );
  expect(fields).toEqual(['schema', 'config.server']);
});
