import type { ToolType } from '../client/index.ts';
import type { ExecutionMode } from '../../domain/agent.ts';
import type { CompactionMode } from '../../domain/compaction.ts';
import type { JsonObject } from '../../domain/json.ts';
import { defaultLimits, type TurnLimits } from '../../domain/limits.ts';
import type { ModelSettings } from '../../domain/model-settings.ts';
import type { Rules } from '../../domain/rules.ts';
import type { ToolSettings } from '../../domain/tool.ts';

/** The types of tool that code can name: all types of the API. */
export type PortableType = ToolType;

/**
 * The `config` of a tool with names in place of ids: `connection`, `knowledgeBase`, `agent` and `workflow`. Fields that follow
 * from others, such as the provider of a connection, are left out.
 */
export interface PortableConfig {
  connection?: string | undefined;
  knowledgeBase?: string | undefined;
  agent?: string | undefined;
  workflow?: string | undefined;
  functionName?: string | undefined;
  runs?: string | undefined;
  model?: string | undefined;
  server?: string | undefined;
  tool?: string | undefined;
  gateway?: boolean | undefined;
  servers?: string[] | undefined;
  detach?: boolean | undefined;
  inheritRules?: boolean | undefined;
}

/** A tool that means the same in every workspace with connections of these names. */
export interface PortableTool {
  type: PortableType;
  name: string;
  description: string;
  schema: JsonObject;
  settings: ToolSettings;
  config: PortableConfig;
}

/** The limits that an agent sets. */
export type PortableLimits = { [Name in keyof TurnLimits]?: number | undefined };

/** A model that answers for another one, with the name of the connection whose key it is called with. */
export interface PortableModel {
  model: string;
  modelConnection: string | null;
}

/** A version of a skill by its files, wherever they are. */
export interface PortableSkill {
  name: string;
  files: {
    path: string;
    /** SHA-256 in hex of its bytes. */
    digest: string;
    read: () => Promise<Uint8Array>;
  }[];
}

/** An agent that means the same in every workspace with connections of these names. */
export interface PortableAgent {
  name: string;
  model: string;
  instructions: string;
  execution: ExecutionMode;
  modelConnection: string | null;
  fallbackModels: PortableModel[];
  modelSettings: ModelSettings;
  compaction: CompactionMode;
  compactionThreshold: number | null;
  summaryModel: string | null;
  limits: PortableLimits;
  rules: Rules;
  toolCallsInText: boolean | null;
  tools: PortableTool[];
  skills: PortableSkill[];
}

/** Removes fields that have the value which they would have without being set, so that defaults are no difference. */
export function withoutDefaults(agent: PortableAgent): PortableAgent {
  const { toolAllowlist, forLater = [], ...rules } = agent.rules;
  const limits = Object.entries(agent.limits).filter(([name, value]) => !isDefaultLimit(name, value));
  return {
    ...agent,
    limits: Object.fromEntries(limits),
    rules: {
      ...rules,
      ...(toolAllowlist && { toolAllowlist }),
      ...(forLater.length > 0 && { forLater: forLater.toSorted() }),
    },
    tools: agent.tools.map((tool) => ({
      ...tool,
      settings: toShortSettings(tool.settings),
      config: toDefined(tool.config),
    })),
  };
}

/** The default of the time before the first step is the workspace's own. */
function isDefaultLimit(name: string, value: number | undefined): boolean {
  if (value === undefined) return true;
  return name !== 'startTimeoutMs' && value === defaultLimits[name as keyof TurnLimits];
}

function toShortSettings({ enabled, selfApproval, ...settings }: ToolSettings): ToolSettings {
  return toDefined({
    ...settings,
    ...(enabled === false && { enabled }),
    ...(selfApproval === false && { selfApproval }),
  });
}

function toDefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Value;
}
