import type { Agent, AgentVersion, JsonObject, Tool } from '../../api/types.ts';
import { toDraft, type AgentDraft } from './draft.ts';
import { withValue } from './with-value.ts';

/** A version of an agent, the newest one or another. */
export type AnyVersion = Agent | AgentVersion;

/** A version as it is compared field by field: tools and skills by their names, since their order does not count. */
export function toComparable(version: AnyVersion): JsonObject {
  const draft = toDraft(version);
  const value = {
    ...draft,
    connectors: version.connectors.map(({ name }) => name),
    skills: Object.fromEntries(
      version.skills.map(({ name, version: number }) => [name, `version ${number}`]),
    ),
    tools: Object.fromEntries(draft.tools.map(({ name, ...tool }) => [name, tool])),
  };
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

/** A tool as it is compared: without its id, which is another one after each change. */
export const toToolObject = (tool: Tool): JsonObject =>
  JSON.parse(JSON.stringify(withValue(tool, 'id', undefined))) as JsonObject;

/** Names what a version has changed, such as "instructions, model, tools". */
export function listChanges(before: AnyVersion, after: AnyVersion): string {
  const [one, other] = [toComparable(before), toComparable(after)];
  return (
    toNames(Object.keys(other).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))) ||
    'nothing'
  );
}

/** Names fields as people read them. */
export function toNames(fields: readonly string[]): string {
  return [...new Set(fields.map((name) => labels[name as keyof typeof labels]))].join(', ');
}

const labels: Record<keyof AgentDraft | 'connectors', string> = {
  ...{ name: 'name', model: 'model', instructions: 'instructions', limits: 'limits', execution: 'execution' },
  ...{ modelConnectionId: 'key of the model', fallbackModels: 'fallback models' },
  ...{ modelSettings: 'model settings', compaction: 'compaction', compactionThreshold: 'compaction' },
  ...{ summaryModel: 'compaction', rules: 'rules', toolCallsInText: 'execution', skills: 'skills' },
  ...{ tools: 'tools', connectors: 'connectors' },
};
