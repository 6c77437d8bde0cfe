import { HoldfastError } from '../../../domain/errors.ts';
import type { SearchKnowledge } from '../../../domain/knowledge.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';
import { failedResult } from '../failed-result.ts';
import { toKnowledgeResult } from '../knowledge-result.ts';
import { toTextArgument } from '../text-argument.ts';

const defaultCount = 5;

async function run(searchKnowledge: SearchKnowledge | undefined, call: FunctionRun): Promise<ToolResult> {
  const { workspaceId, turnId, toolCallId, tool, signal } = call;
  const { knowledgeBaseId } = tool.config;
  const { query, count } = call.arguments;
  if (!searchKnowledge || knowledgeBaseId === undefined) {
    const message =
      'The search of files is not set up: set "config.knowledgeBaseId" of the tool to a knowledge base.';
    return failedResult('TOOL_NOT_CONFIGURED', message);
  }
  const text = toTextArgument(query);
  const limit = typeof count === 'number' ? count : defaultCount;
  try {
    const place = { workspaceId, knowledgeBaseId, caller: { turnId, toolCallId } };
    const answer = await searchKnowledge({ ...place, query: text, limit, signal });
    return toKnowledgeResult(answer, text);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    if (error.code === 'BUDGET_EXCEEDED') return { status: 'failed', error: error.toInfo() };
    if (error.code !== 'NOT_FOUND') throw error;
    return failedResult('TOOL_MISCONFIGURED', `The search of files leads nowhere: ${error.message}`);
  }
}

/** Searches the files of a knowledge base. */
export function createFileSearch(searchKnowledge?: SearchKnowledge): ToolFunction {
  return {
    name: 'file_search',
    description:
      'Searches files. Answers with the passages that fit best, each with its document, page and position.',
    schema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 4000 },
        count: { type: 'integer', minimum: 1, maximum: 20, default: defaultCount },
      },
      required: ['query'],
      additionalProperties: false,
    },
    effect: 'read_only',
    run: (call) => run(searchKnowledge, call),
  };
}
