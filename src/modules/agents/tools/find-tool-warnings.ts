import type { Agent } from '../../../domain/agent.ts';
import type { FieldError } from '../../../domain/errors.ts';
import { withSkillTools } from '../../../domain/skill-tools.ts';
import { isCutDescription } from '../../../domain/tool-description.ts';
import { findMostTools } from '../../../engines/models/to-vendor-call.ts';
import { schemaChecksOf } from '../../../engines/tools/json-schema/schema-checks.ts';

/** Finds tools of an agent that its models do not get as they are, or whose arguments are not checked in full. */
export async function findToolWarnings(
  agent: Pick<Agent, 'tools' | 'skills' | 'model' | 'fallbackModels'>,
  workspaceId: string,
): Promise<FieldError[]> {
  const checks = schemaChecksOf(workspaceId);
  const warnings = findLeftOut(agent);
  for (const [index, { name, description, schema }] of agent.tools.entries()) {
    if (isCutDescription(description)) {
      const message = `The description of "${name}" is longer than models are given: its end is cut off.`;
      warnings.push({ field: `tools.${index}.description`, message });
    }
    if (!JSON.stringify(schema).includes('"pattern')) continue;
    const problem = await checks.findSchemaProblem(schema);
    if (problem === null) continue;
    const message = `Arguments of "${name}" are not held to a part of its schema here, but by what runs it. ${problem}`;
    warnings.push({ field: `tools.${index}.schema`, message });
  }
  return warnings;
}

/** Says which tools a model of the agent is not offered, because there are more than its vendor takes. */
function findLeftOut(agent: Pick<Agent, 'tools' | 'skills' | 'model' | 'fallbackModels'>): FieldError[] {
  const offered = withSkillTools(agent).tools.filter(({ settings }) => settings?.enabled !== false);
  const models = [agent.model, ...agent.fallbackModels.map(({ model }) => model)];
  return models.flatMap((model, index) => {
    const most = findMostTools(model);
    const [first] = most === null ? [] : offered.slice(most);
    if (!first) return [];
    const rest = `${model} takes ${most} tools, and the agent has ${offered.length}`;
    const message = `${rest}: those from "${first.name}" on are not offered to it. A gateway has room for more.`;
    return [{ field: index === 0 ? 'model' : `fallbackModels.${index - 1}.model`, message }];
  });
}
