import type { AgentVersion } from '../../../domain/agent.ts';
import type { CandidateAgent, ReplayCandidate, ToolChanges } from '../../../domain/replay.ts';
import { withSkillTools } from '../../../domain/skill-tools.ts';
import type { Tool } from '../../../domain/tool.ts';

/** Returns an agent version with the changes of a candidate. */
export function applyCandidate(recorded: AgentVersion, candidate: ReplayCandidate): AgentVersion {
  const version = candidate.agent ? withAgent(recorded, candidate.agent) : recorded;
  const { model = version.model, instructions = version.instructions, rules = version.rules } = candidate;
  return {
    ...version,
    ...{ model, instructions, rules },
    modelConnectionId: toConnectionId(version, candidate),
    tools: candidate.tools ? changeTools(version.tools, candidate.tools) : version.tools,
  };
}

/** Code does not manage the tools of connectors, so that those of the recorded version stay, as its skills do. */
function withAgent(version: AgentVersion, { tools, ...agent }: CandidateAgent): AgentVersion {
  const ofConnectors = version.tools.filter(({ config }) => 'connectorId' in config);
  const own = tools.map((tool) => {
    const same = version.tools.find(({ name }) => name === tool.name);
    return { ...tool, id: same?.id ?? `candidate-${tool.name}` } as Tool;
  });
  const names = new Set(own.map(({ name }) => name));
  const kept = ofConnectors.filter(({ name }) => !names.has(name));
  return withSkillTools({ ...version, ...agent, tools: [...own, ...kept] });
}

/** The connection of one vendor has no key for the model of another one. */
function toConnectionId(version: AgentVersion, { model, modelConnectionId }: ReplayCandidate): string | null {
  if (modelConnectionId !== undefined) return modelConnectionId;
  const isOther = model !== undefined && toVendor(model) !== toVendor(version.model);
  return isOther ? null : version.modelConnectionId;
}

function toVendor(model: string): string {
  return model.split('/', 1)[0] ?? model;
}

/** A tool that a candidate adds has no place where it could run, so it is declared as a tool of the client. */
function changeTools(tools: Tool[], { remove, change, add }: ToolChanges): Tool[] {
  const kept = tools.filter(({ name }) => !remove.includes(name));
  const changed = kept.map((tool) => ({ ...tool, ...withoutUndefined(change[tool.name] ?? {}) }));
  const added = add.map((definition): Tool => ({
    ...{ id: `candidate-${definition.name}`, type: 'function', config: { runs: 'client' } },
    ...definition,
  }));
  return [...changed, ...added];
}

function withoutUndefined<Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Values]?: Exclude<Values[Key], undefined>;
  };
}
