import { expect, test } from 'vitest';
import { HoldfastError } from '../../../src/domain/errors.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { KnowledgeAnswer, SearchKnowledge } from '../../../src/domain/knowledge.ts';
import type { ToolConfigs, ToolRun } from '../../../src/domain/tool.ts';
import { knowledgeBaseTool } from '../../../src/engines/tools/knowledge-base-tool.ts';
import { toolboxOf } from '../../../src/engines/tools/toolbox.ts';

type SearchOptions = Parameters<SearchKnowledge>[0];

const results = [
  {
    text: 'It lasts two years.',
    score: 0.03,
    document: { id: 'd1', name: 'Terms.pdf' },
    position: 4,
    page: 12,
    headings: ['Warranty', 'Length'],
  },
  {
    text: 'Ask us.',
    score: 0.02,
    document: { id: 'd2', name: 'Notes' },
    position: 0,
    page: null,
    headings: [],
  },
];

interface Surroundings {
  answer?: KnowledgeAnswer | Error;
  config?: ToolConfigs['knowledge_base'];
}

function run(toolArguments: JsonObject, surroundings: Surroundings = {}) {
  const { answer = { results, notice: null }, config = { knowledgeBaseId: 'base' } } = surroundings;
  const searches: SearchOptions[] = [];
  const search: SearchKnowledge = (options) => {
    searches.push(options);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const toolRun: ToolRun<'knowledge_base'> = {
    workspaceId: 'workspace',
    agentId: 'agent',
    conversationId: 'conversation',
    turnId: 'turn',
    toolCallId: 'call',
    tool: { id: 'tool', type: 'knowledge_base', name: 'search', description: '', schema: {}, config },
    toolbox: toolboxOf({ tools: [], connectors: [] }),
    arguments: toolArguments,
    idempotencyKey: 'key',
    timeoutMs: 1000,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  return { result: knowledgeBaseTool.run(toolRun, { knowledge: { search } }), searches };
}

test('the model gets results with numbered sources, and programs get them as data', async () => {
  const { result, searches } = run({ query: 'warranty', limit: 5 });
  expect(await result).toEqual({
    status: 'succeeded',
    text: '[1] Source: Terms.pdf, page 12, Warranty > Length\nIt lasts two years.\n\n[2] Source: Notes\nAsk us.',
    content: results,
  });
  expect(searches).toMatchObject([
    { workspaceId: 'workspace', knowledgeBaseId: 'base', query: 'warranty', limit: 5 },
  ]);
});

test('the text says when nothing was found, and when the search was incomplete', async () => {
  const { result } = run(
    { query: 'unicorns' },
    { answer: { results: [], notice: 'Searched by words only.' } },
  );
  expect(await result).toMatchObject({
    status: 'succeeded',
    text: 'Nothing was found for "unicorns". Try other words.\n\n(Searched by words only.)',
  });
});

test.each([[{}], [{ query: '' }], [{ query: 7 }], [{ query: 'a', limit: 0 }], [{ query: 'a', limit: 21 }]])(
  'the arguments %j are refused, and nothing is searched',
  async (wrong: JsonObject) => {
    const { result, searches } = run(wrong);
    expect(await result).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
    expect(searches).toEqual([]);
  },
);

test('a tool without a valid knowledge base fails with a message that says so', async () => {
  const missing = run({ query: 'a' }, { config: {} });
  expect(await missing.result).toMatchObject({ status: 'failed', error: { code: 'TOOL_MISCONFIGURED' } });
  const gone = run(
    { query: 'a' },
    { answer: new HoldfastError('NOT_FOUND', 'There is no knowledge base base.') },
  );
  expect(await gone.result).toMatchObject({
    status: 'failed',
    error: {
      code: 'TOOL_MISCONFIGURED',
      message: 'The tool "search" leads nowhere: There is no knowledge base base.',
    },
  });
});

test('an unexpected error of the search is thrown', async () => {
  const { result } = run({ query: 'a' }, { answer: new Error('connection lost') });
  await expect(result).rejects.toThrow('connection lost');
});
