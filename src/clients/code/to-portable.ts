import type { Agent } from '../client/index.ts';
import { toName, type Directory } from './directory.ts';
import type { PortableAgent, PortableConfig, PortableTool } from './portable.ts';

/** A tool of a stored agent. */
export type StoredTool = Agent['tools'][number];

/** Returns a stored agent with names in place of ids, without the tools that come from its connectors. */
export async function toPortable(agent: Agent, directory: Directory): Promise<PortableAgent> {
  const { name, model, instructions, execution, limits, toolCallsInText, modelSettings } = agent;
  const { compaction, compactionThreshold, summaryModel } = agent;
  const nameConnection = async (id: string | null) => id && toName(await directory.connections(), id);
  return {
    ...{ name, model, instructions, execution, limits, toolCallsInText, modelSettings },
    ...{ compaction, compactionThreshold, summaryModel },
    modelConnection: await nameConnection(agent.modelConnectionId),
    fallbackModels: await Promise.all(
      agent.fallbackModels.map(async (one) => ({
        model: one.model,
        modelConnection: await nameConnection(one.modelConnectionId ?? null),
      })),
    ),
    rules: agent.rules,
    tools: await Promise.all(
      agent.tools.filter((tool) => !isOfConnector(tool)).map((tool) => toPortableTool(tool, directory)),
    ),
    skills: await Promise.all(agent.skills.map((pin) => directory.skill(pin))),
  };
}

/** Whether a tool was provisioned from a connector of its agent, which code does not manage. */
export function isOfConnector({ config }: StoredTool): boolean {
  return 'connectorId' in config && config.connectorId !== undefined;
}

async function toPortableTool(tool: StoredTool, directory: Directory): Promise<PortableTool> {
  const { type, name, description, schema, settings = {} } = tool;
  const config = await toNames(tool.config, directory);
  return {
    ...{ type, name, description, schema },
    settings,
    config: withoutImplied(name, config),
  };
}

/** The `config` of stored tools of all types. */
type StoredConfig = PortableConfig & {
  connectionId?: string | undefined;
  knowledgeBaseId?: string | undefined;
  agentId?: string | undefined;
  workflowId?: string | undefined;
} & { [Field in ImpliedField]?: string | undefined };

/** The fields that follow from the others. */
const impliedFields = ['provider', 'agentName', 'connectorId'] as const;
type ImpliedField = (typeof impliedFields)[number];

/** Keeps the fields that are no ids, those that this version does not know among them. */
async function toNames(config: StoredConfig, directory: Directory): Promise<PortableConfig> {
  const { connectionId, knowledgeBaseId, agentId, workflowId: workflow, ...rest } = config;
  const kept = Object.entries(rest).filter(([field]) => !impliedFields.some((one) => one === field));
  return {
    ...(Object.fromEntries(kept) as PortableConfig),
    ...(workflow !== undefined && { workflow }),
    ...(connectionId !== undefined && { connection: toName(await directory.connections(), connectionId) }),
    ...(knowledgeBaseId !== undefined && {
      knowledgeBase: toName(await directory.knowledgeBases(), knowledgeBaseId),
    }),
    ...(agentId !== undefined && { agent: toName(directory.agents, agentId) }),
  };
}

/** Removes fields with values that they have anyway. */
function withoutImplied(name: string, config: PortableConfig): PortableConfig {
  const implied = new Map<string, unknown>([
    ['functionName', name],
    ['tool', name],
    ['runs', 'worker'],
    ['inheritRules', false],
    ['gateway', false],
  ]);
  const entries = Object.entries(config).filter(
    ([field, value]) => value !== undefined && implied.get(field) !== value,
  );
  return Object.fromEntries(entries);
}
