import { z } from 'zod';
import type { FieldError } from '../../domain/errors.ts';
import type { RequestCredentials } from '../../domain/request-credentials.ts';
import type { PinnedSkill } from '../../domain/skill.ts';
import type { ToolDraftOf, ToolInputOf, ToolOutcome, ToolRun } from '../../domain/tool.ts';
import { checkConnection } from './check-connection.ts';
import { askUser } from './functions/ask-user.ts';
import { configText } from './config-fields.ts';
import { failedResult, invalidArguments } from './failed-result.ts';
import { effectOfFunction, functionNameOf, runsAtClient } from './functions/function-registry.ts';
import { deletesResource, resourceManage } from './functions/resource-manage.ts';
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
  runs: z
    .enum(['worker', 'client'])
    .optional()
    .describe(
      'Where a call is executed. With `client` by the program that uses the API: it finds the call among the pending actions, and posts the result',
    ),
  functionName: configText.describe(
    'The function that is called. Without it the one of the name of the tool',
  ),
  connectionId: configText.describe('The connection that a built-in function searches or pays with'),
  provider: configText.describe('The provider of that connection'),
  knowledgeBaseId: configText.describe('The knowledge base that `file_search` searches'),
  model: configText.describe('The image model that `generate_image` uses, such as `openai/gpt-image-1`'),
  inheritRules: z
    .boolean()
    .optional()
    .describe(
      'Whether the allowlist and the policies of the agent hold as well in the routines that `run_routine` starts, and for the members of swarms that `spawn_swarm` starts',
    ),
});

declare module '../../domain/tool.ts' {
  interface ToolConfigs {
    function: z.infer<typeof config> & {
      /** Set by routines alone, for one request. */
      request?: RequestCredentials | undefined;
      /** Set for the tools that an agent has because it has skills. */
      skills?: Omit<PinnedSkill, 'description'>[] | undefined;
    };
  }
}

/** Tools of type `function`: code that runs in the worker, or in the program that uses the API. */
export const functionTool = {
  type: 'function',
  config,
  complete,
  check,
  checkTarget,
  onlyAsks: (tool) => runsAtClient(tool) || functionNameOf(tool) === askUser.name,
  destroys: (tool, toolArguments) =>
    functionNameOf(tool) === resourceManage.name && deletesResource(toolArguments),
  effect: (tool, toolArguments, { functions }) => {
    if (runsAtClient(tool)) return 'unsafe';
    const found = functions.find(functionNameOf(tool));
    return found ? effectOfFunction(found, toolArguments) : 'unsafe';
  },
  place: (tool) => ({
    ...(runsAtClient(tool)
      ? { type: 'client' as const, id: tool.name }
      : { type: 'function' as const, id: functionNameOf(tool) }),
    tools: [''],
  }),
  route: 'step',
  run,
} satisfies StepToolType<'function'>;

/** A function that runs in the worker describes itself. The copy stays with the agent when the function changes. */
function complete(
  { config = {}, ...draft }: ToolDraftOf<'function'>,
  { functions }: ToolCatalogues,
): ToolDraftOf<'function'> {
  if (runsAtClient({ config })) return { ...draft, config };
  const found = functions.describe(functionNameOf({ ...draft, config }));
  if (!found) return { ...draft, config };
  const { description = found.description, schema = found.schema } = draft;
  return { ...draft, config, description, schema };
}

function check(tool: ToolInputOf<'function'>, { functions }: ToolCatalogues): FieldError[] {
  if (runsAtClient(tool)) return checkClientTool(tool);
  const name = functionNameOf(tool);
  if (functions.describe(name)) return [];
  const known = functions.list().map((each) => each.name);
  const message = `expected one of ${known.join(', ')}, found "${name}"`;
  return [{ field: 'config.functionName', message }];
}

/** A tool that runs at the client leads to nothing else. */
function checkClientTool({ config }: ToolInputOf<'function'>): FieldError[] {
  const others = Object.entries(config).filter(([name, value]) => name !== 'runs' && value !== undefined);
  const message = 'is for functions that run in the worker; leave it out with "runs": "client"';
  return others.map(([name]) => ({ field: `config.${name}`, message }));
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
  { functions, fetch, now, services }: Pick<ToolDependencies, 'functions' | 'fetch' | 'now' | 'services'>,
): Promise<ToolOutcome> {
  if (runsAtClient(call.tool)) return { status: 'waits', requests: [{ kind: 'client_tool' }] };
  const name = functionNameOf(call.tool);
  const found = functions.find(name);
  if (!found) {
    const known = functions.list().map((each) => each.name);
    return failedResult('UNKNOWN_TOOL', `There is no function "${name}". Known are: ${known.join(', ')}.`);
  }
  const fields = await schemaChecksOf(call.workspaceId).checkSchema(found.schema, call.arguments);
  if (fields.length > 0) return invalidArguments(name, fields);
  return found.run({ ...call, fetch, now, services });
}
