import { z } from 'zod';
import { HoldfastError, type FieldError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ToolResult, ToolRun } from '../../domain/tool.ts';
import { configText } from './config-fields.ts';
import { failedResult, invalidArguments } from './failed-result.ts';
import { checkToolArguments } from './json-schema/tool-arguments.ts';
import { toKnowledgeResult } from './knowledge-result.ts';
import { toTextArgument } from './text-argument.ts';
import type { StepToolType, ToolDependencies, ToolLookups } from './tool-type.ts';

const config = z.object({
  knowledgeBaseId: configText.describe('The knowledge base that is searched'),
});

declare module '../../domain/tool.ts' {
  interface ToolConfigs {
    knowledge_base: z.infer<typeof config>;
  }
}

/** Tools of type `knowledge_base`: documents that an agent can search. */
export const knowledgeBaseTool = {
  type: 'knowledge_base',
  config,
  needs: ['knowledgeBaseId'],
  checkTarget: async (tool, lookups) => {
    const { knowledgeBaseId = '' } = tool.config;
    return { tool, errors: await checkKnowledgeBase(lookups, knowledgeBaseId) };
  },
  effect: () => 'read_only',
  place: ({ config: { knowledgeBaseId = '' } }) => ({
    type: 'knowledge_base',
    id: knowledgeBaseId,
    tools: [''],
  }),
  route: 'step',
  run,
} satisfies StepToolType<'knowledge_base'>;

/** Checks that there is a knowledge base of an id. */
export async function checkKnowledgeBase(
  { hasKnowledgeBase }: Pick<ToolLookups, 'hasKnowledgeBase'>,
  id: string,
): Promise<FieldError[]> {
  if (await hasKnowledgeBase(id)) return [];
  return [{ field: 'config.knowledgeBaseId', message: `there is no knowledge base ${id}` }];
}

/** JSON Schema of what a tool of type `knowledge_base` takes, whatever schema it was added with. */
const knowledgeBaseArguments: JsonObject = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 4000,
      description: 'What to look for, as a question or words',
    },
    limit: { type: 'integer', minimum: 1, maximum: 20, description: 'The most passages to answer with' },
  },
  required: ['query'],
};

async function run(
  { tool, workspaceId, signal, ...call }: ToolRun<'knowledge_base'>,
  { knowledge }: Pick<ToolDependencies, 'knowledge'>,
): Promise<ToolResult> {
  const { knowledgeBaseId } = tool.config;
  if (knowledgeBaseId === undefined) {
    return failedResult('TOOL_MISCONFIGURED', `The tool "${tool.name}" needs "config.knowledgeBaseId".`);
  }
  const wrong = checkToolArguments(knowledgeBaseArguments, call.arguments);
  if (wrong.length > 0) return invalidArguments(tool.name, wrong);
  const { limit } = call.arguments;
  const query = toTextArgument(call.arguments.query);
  try {
    const options = typeof limit === 'number' ? { limit } : {};
    const { turnId, toolCallId } = call;
    const place = { workspaceId, knowledgeBaseId, caller: { turnId, toolCallId } };
    const answer = await knowledge.search({ ...place, query, signal, ...options });
    return toKnowledgeResult(answer, query);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    if (error.code === 'BUDGET_EXCEEDED') return { status: 'failed', error: error.toInfo() };
    if (error.code !== 'NOT_FOUND') throw error;
    return failedResult('TOOL_MISCONFIGURED', `The tool "${tool.name}" leads nowhere: ${error.message}`);
  }
}
