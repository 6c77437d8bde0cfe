import { expect, test } from 'vitest';
import { createToolCheck } from '../../../src/engines/tools/check-tool.ts';
import type { ToolInputOf } from '../../../src/domain/tool.ts';
import { createFunctionRegistry } from '../../../src/engines/tools/functions/function-registry.ts';

const checkTool = createToolCheck({ functions: createFunctionRegistry() });

const tool: ToolInputOf<'function'> = {
  type: 'function',
  name: 'calculate',
  description: '',
  schema: { type: 'object' },
  config: {},
};

test('a function is found by its configured name, or by the name of the tool', async () => {
  expect(await checkTool(tool, 'workspace')).toEqual([]);
  expect(
    await checkTool({ ...tool, name: 'sum', config: { functionName: 'calculate' } }, 'workspace'),
  ).toEqual([]);
  expect(await checkTool({ ...tool, name: 'constructor' }, 'workspace')).toMatchObject([
    { field: 'config.functionName' },
  ]);
});

test.each([
  ['mcp', 'server'],
  ['mcp', 'connectionId'],
  ['workflow', 'workflowId'],
  ['knowledge_base', 'knowledgeBaseId'],
  ['agent', 'agentId'],
] as const)('a tool of type %s is valid with the target field %s', async (type, field) => {
  expect(await checkTool({ ...tool, type, config: {} }, 'workspace')).toHaveLength(1);
  expect(await checkTool({ ...tool, type, config: { [field]: 'x' } }, 'workspace')).toEqual([]);
});

test('a tool that runs at the client may have any name, and leads to nothing else', async () => {
  const config = { runs: 'client' as const };
  expect(await checkTool({ ...tool, name: 'open_file', config }, 'workspace')).toEqual([]);
  expect(
    await checkTool({ ...tool, config: { ...config, functionName: 'calculate' } }, 'workspace'),
  ).toMatchObject([{ field: 'config.functionName' }]);
});

test('an invalid JSON Schema is reported together with the other invalid fields', async () => {
  const wrong = { ...tool, type: 'mcp' as const, config: {}, schema: { type: 'objekt' } };
  expect(await checkTool(wrong, 'workspace')).toMatchObject([
    { field: 'schema' },
    { field: 'config.server' },
  ]);
});
