import { expect, test } from 'vitest';
import type { ModelTool } from '../../../../src/domain/model.ts';
import { listExamples, pickToolCalls } from '../../../../src/engines/models/demo/demo-rules.ts';

function createTool(name: string, ...properties: string[]): ModelTool {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties.map((property) => [property, { type: 'string' }])),
  };
  return { name, description: '', schema };
}

const tools = [
  createTool('search_handbook', 'query', 'limit'),
  createTool('mcp', 'action', 'server', 'tool', 'args', 'query'),
  createTool('nightly_report', 'day'),
  createTool('legal.researcher', 'message'),
  createTool('lookupOrder', 'orderId', 'verbose'),
  createTool('calculate', 'expression'),
];

test.each([
  ['Search the handbook for parental leave.', 'search_handbook', { query: 'parental leave' }],
  ['search handbook for 2 + 2 and more', 'search_handbook', { query: '2 + 2 and more' }],
  ['List the tools', 'mcp', { action: 'list' }],
  ['list all tools of kr-legal.', 'mcp', { action: 'list', server: 'kr-legal' }],
  [
    'call files:read_file with {"path": "a.txt"}',
    'mcp',
    { action: 'call', server: 'files', tool: 'read_file', args: { path: 'a.txt' } },
  ],
  ['Call memory:read_graph.', 'mcp', { action: 'call', server: 'memory', tool: 'read_graph', args: {} }],
  ['run the nightly report workflow with {"day": "2026-11-21"}', 'nightly_report', { day: '2026-11-21' }],
  ['Start the nightly report for 2026-11-21', 'nightly_report', { day: '2026-11-21' }],
  [
    'Ask the legal researcher to compare both offers.',
    'legal.researcher',
    { message: 'compare both offers' },
  ],
  ['ask the researcher: what is 6 * 7?', 'legal.researcher', { message: 'what is 6 * 7' }],
  [
    'use lookupOrder with {"orderId": "A-17", "verbose": "yes"}',
    'lookupOrder',
    { orderId: 'A-17', verbose: 'yes' },
  ],
  ['Use lookup order with A-17', 'lookupOrder', { orderId: 'A-17' }],
  ['use the lookupOrder function', 'lookupOrder', {}],
])('the demo model calls only the named tool for %j', (text, name, input) => {
  expect(pickToolCalls(text, tools)).toEqual([{ name, arguments: input }]);
});

test.each(['Use your tools.', 'ask the cook to hurry', 'run away', 'list the towns', 'use it'])(
  'the demo model finds no tool named in %j',
  (text) => {
    expect(pickToolCalls(text, tools)).toEqual([]);
  },
);

test('the demo model explains how to name a tool to an agent whose tools match no rule', () => {
  const named = tools.filter(({ name }) => name !== 'calculate');
  const examples = listExamples(named);
  expect(examples).toHaveLength(5);
  expect(examples.map((example) => pickToolCalls(example, named).map(({ name }) => name))).toEqual(
    named.map(({ name }) => [name]),
  );
});

test('the demo model matches every message in a short time', () => {
  const text = `use ${'a '.repeat(990)}`;
  expect(pickToolCalls(text, tools)).toEqual([]);
});
