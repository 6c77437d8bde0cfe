import { z } from 'zod';
import type { FieldError } from '../domain/errors.ts';
import type { ToolInputOf, ToolResult, ToolRun } from '../domain/tool.ts';
import { checkConnection } from './check-connection.ts';
import { configText, formerConfigFields } from './config-fields.ts';
import { failedResult, invalidArguments } from './failed-result.ts';
import { effectOfFunction, functionNameOf } from './functions/function-registry.ts';
import { schemaChecksOf } from './json-schema/schema-checks.ts';
import { checkKnowledgeBase } from './knowledge-base-tool.ts';
import type {
  CheckedTool,
  StepToolType,
  ToolCatalogues,
  ToolDependencies,
  ToolLookups,
} from './tool-type.ts';

const config = z.object({
  functionName: configText.describe(
    'The function that is called. Without it the one of the name of the tool',
  ),
  connectionId: configText.describe('The connection that a built-in function searches or pays with'),
  provider: configText.describe('The provider of that connection'),
  knowledgeBaseId: configText.describe('The knowledge base that `file_search` searches'),
  model: configText.describe('The image model that `generate_image` uses, such as `openai/gpt-image-1`'),
});

declare module '../domain/tool.ts' {
  interface ToolConfigs {
    function: z.infer<typeof config>;
  }
}

/** Tools of type `function`: code that runs in the worker. */
export const functionTool = {
  type: 'function',
  config,
  ignoredFields: formerConfigFields,
  check,
  checkTarget,
  effect: (tool, toolArguments, { functions }) => {
    const found = functions.find(functionNameOf(tool));
    return found ? effectOfFunction(found, toolArguments) : 'unsafe';
  },
  route: 'step',
  run,
} satisfies StepToolType<'function'>;

function check(tool: ToolInputOf<'function'>, { functions }: ToolCatalogues): FieldError[] {
  const name = functionNameOf(tool);
  const known = functions.list().map((each) => each.name);
  if (known.includes(name)) return [];
  const message = `expected one of ${known.join(', ')}, found "${name}"`;
  return [{ field: 'config.functionName', message }];
}

/** Checks what a function searches or pays with, if its tool names something. */
async function checkTarget(
  tool: ToolInputOf<'function'>,
  lookups: ToolLookups,
): Promise<CheckedTool<'function'>> {
  const { connectionId, provider, knowledgeBaseId } = tool.config;
  const errors: FieldError[] = [];
  if (connectionId !== undefined) {
    const named = provider ?? (await lookups.getConnection(connectionId)).provider;
    errors.push(...(await checkConnection(lookups, { connectionId, provider: named })));
  }
  if (knowledgeBaseId !== undefined) errors.push(...(await checkKnowledgeBase(lookups, knowledgeBaseId)));
  return { tool, errors };
}

async function run(
  call: ToolRun<'function'>,
  { functions, fetch, now }: Pick<ToolDependencies, 'functions' | 'fetch' | 'now'>,
): Promise<ToolResult> {
  const name = functionNameOf(call.tool);
  const found = functions.find(name);
  if (!found) {
    const known = functions.list().map((each) => each.name);
    return failedResult('UNKNOWN_TOOL', `There is no function "${name}". Known are: ${known.join(', ')}.`);
  }
  const fields = await schemaChecksOf(call.workspaceId).checkSchema(found.schema, call.arguments);
  if (fields.length > 0) return invalidArguments(name, fields);
  return found.run({ ...call, fetch, now });
}
