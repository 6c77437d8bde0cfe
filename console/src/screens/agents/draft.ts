import type { Agent, AgentVersion, CreateAgentData, NewTool, Tool } from '../../api/types.ts';
import { withValue } from './with-value.ts';

type Body = Omit<CreateAgentData['body'], 'project'>;

/** An agent as a person edits it: every field of a request, with the defaults filled in. */
export type AgentDraft = { [Name in keyof Body]-?: Exclude<Body[Name], undefined> } & { model: string };

/** Why fields were refused, by their names, such as `limits.turnTimeoutMs`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** What the parts of the form of an agent get. */
export interface PartProps {
  draft: AgentDraft;
  /** Replaces fields of the draft. */
  set: (change: Partial<AgentDraft>) => void;
  errors: FieldErrors;
  isReadOnly: boolean;
}

/** An agent of which nothing is set. */
export const emptyDraft: AgentDraft = {
  ...{ name: '', model: '', instructions: '', limits: {}, execution: 'inspectable' },
  ...{ modelConnectionId: null, fallbackModels: [], modelSettings: {}, toolCallsInText: null },
  ...{ compaction: 'oldest_first', compactionThreshold: null, summaryModel: null },
  ...{ rules: { toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' }, skills: [], tools: [] },
};

/** The fields of a version that a request can set. */
export function toDraft(version: Agent | AgentVersion): AgentDraft {
  const { name, model, instructions, limits, execution, modelConnectionId, fallbackModels } = version;
  const { modelSettings, compaction, compactionThreshold, summaryModel, rules, toolCallsInText } = version;
  return {
    ...{ name, model, instructions, limits, execution, modelConnectionId, fallbackModels },
    ...{ modelSettings, compaction, compactionThreshold, summaryModel, rules, toolCallsInText },
    skills: version.skills.map(({ skillId, version: number }) => ({ skillId, version: number })),
    tools: version.tools.map(toNewTool),
  };
}

const toNewTool = (tool: Tool): NewTool => withValue(tool, 'id', undefined);

/** The fields in which a draft differs from another one. */
export function toChange(before: AgentDraft, after: AgentDraft): Partial<AgentDraft> {
  const fields = Object.keys(after) as (keyof AgentDraft)[];
  const changed = fields.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** Says what kind of value each field holds. */
const kindOf = (value: unknown) =>
  Array.isArray(value)
    ? 'a list'
    : value === null
      ? 'null'
      : value instanceof Object
        ? 'an object'
        : typeof value;

/**
 * Reads a draft from a value of JSON; fields that are left out are those of the present draft. Returns a sentence about the field
 * that cannot be shown as fields otherwise.
 */
export function readDraft(value: unknown, present: AgentDraft): AgentDraft | string {
  if (kindOf(value) !== 'an object') return `Expected an object, found ${kindOf(value)}.`;
  const draft = { ...present, ...(value as Partial<AgentDraft>) };
  for (const name of Object.keys(emptyDraft) as (keyof AgentDraft)[]) {
    const [expected, found] = [kindOf(emptyDraft[name]), kindOf(draft[name])];
    if (expected !== found && expected !== 'null') return `${name}: expected ${expected}, found ${found}.`;
  }
  const { toolPolicies, canaryTokens } = draft.rules;
  if (kindOf(toolPolicies ?? {}) !== 'an object') return 'rules.toolPolicies: expected an object.';
  if (kindOf(canaryTokens ?? []) !== 'a list') return 'rules.canaryTokens: expected a list.';
  return draft;
}
