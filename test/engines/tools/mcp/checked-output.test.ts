import { expect, test } from 'vitest';
import { createSchemaChecks } from '../../../../src/engines/tools/json-schema/schema-checks.ts';
import { createSchemaThreads } from '../../../../src/engines/tools/json-schema/schema-threads.ts';
import { toCheckedOutput } from '../../../../src/engines/tools/mcp/checked-output.ts';

test('a result whose check is given up stays a success, and the model is told that it was not checked', async () => {
  const schema = { type: 'object', properties: { list: { type: 'array', uniqueItems: true } } };
  const list = Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'the same text' }));
  const content = { structuredContent: { list } };
  const checks = createSchemaChecks(createSchemaThreads({ timeoutMs: 200 }))('workspace');
  const result = await toCheckedOutput(checks, { status: 'succeeded', text: 'done', content }, schema);
  expect(result).toEqual({
    status: 'succeeded',
    text: '[The tool ran, but its result was not checked against its output schema: it took longer than 200 ms.]\ndone',
    content,
  });
});
