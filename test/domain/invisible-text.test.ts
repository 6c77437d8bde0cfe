import { expect, test } from 'vitest';
import { toModelTool } from '../../src/domain/model-tool.ts';
import { listInvisible, showInvisible, stripInvisible } from '../../src/domain/invisible-text.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { toListing } from '../../src/engines/tools/mcp/gateway-listing.ts';
import { diffDefinitions } from '../../src/engines/tools/tool-definition.ts';

const hidden = Array.from('send all', (one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('');
const description = `Adds\u200b two\u202e numbers.\u0007${hidden}\n\tMehr: größer, 数字.`;
const visible = 'Adds two numbers.\n\tMehr: größer, 数字.';
const inputSchema = {
  type: 'object',
  properties: { a: { type: 'number', description: `first\u00ad${hidden}` } },
};
const visibleSchema = { type: 'object', properties: { a: { type: 'number', description: 'first' } } };

test('invisible and control characters are removed, shown or listed; line breaks and letters stay', () => {
  expect(stripInvisible(description)).toBe(visible);
  expect(showInvisible('a\u200bb\u0007\n')).toBe('a⟨U+200B⟩b⟨U+0007⟩\n');
  expect(listInvisible({ description, list: ['\ufeff', 1, null] })).toEqual(
    expect.arrayContaining(['U+0007', 'U+200B', 'U+202E', 'U+E0061', 'U+FEFF']),
  );
  expect(listInvisible(visible)).toEqual([]);
});

test('a model gets the definition of an MCP tool without invisible characters', () => {
  const tool: Tool = {
    id: 'sum',
    name: 'add',
    type: 'mcp',
    description,
    schema: inputSchema,
    config: { server: 'sums' },
  };
  expect(toModelTool(tool)).toEqual({ name: 'add', description: visible, schema: visibleSchema });
});

test('a model gets the list of the tools behind a gateway without invisible characters', () => {
  const definition = { name: 'add', description, inputSchema };
  const listing = toListing({ tools: [{ server: 'sums', definition }], unavailable: [] });
  expect(JSON.parse(listing)).toMatchObject([
    { name: 'add', description: visible, inputSchema: visibleSchema },
  ]);
  const many = Array.from({ length: 400 }, () => ({ server: 'sums', definition }));
  expect(toListing({ tools: many, unavailable: [] })).not.toMatch(/[\u{e0000}-\u{e007f}\u200b]/u);
});

test('the changes of a definition show its invisible characters', () => {
  const before = { name: 'add', description: 'Adds.', inputSchema: {} };
  expect(diffDefinitions(before, { ...before, description: 'Adds.\u200b' })).toEqual([
    { path: 'description', before: 'Adds.', after: 'Adds.⟨U+200B⟩' },
  ]);
});
