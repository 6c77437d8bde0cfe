import { expect, test } from 'vitest';
import { createSchemaChecks } from '../../../../src/engines/tools/json-schema/schema-checks.ts';
import { createSchemaThreads } from '../../../../src/engines/tools/json-schema/schema-threads.ts';
import { createStarved } from '../../../../src/platform/lib/thread.ts';
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

test('a result for whose check there was no time stays a success too', async () => {
  const list = 'x'.repeat(20_000);
  const schema = { type: 'object', properties: { list: { type: 'string', pattern: '^.{0,1000}$' } } };
  const checks = createSchemaChecks(() => Promise.reject(createStarved('a check')))('workspace');
  const content = { structuredContent: { list } };
  expect(await toCheckedOutput(checks, { status: 'succeeded', text: 'done', content }, schema)).toEqual({
    status: 'succeeded',
    text: '[The tool ran, but its result was not checked against its output schema: there was no time for it.]\ndone',
    content,
  });
});
