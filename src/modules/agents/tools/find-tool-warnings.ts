import type { Agent } from '../../../domain/agent.ts';
import type { FieldError } from '../../../domain/errors.ts';
import { isCutDescription } from '../../../domain/tool-description.ts';
import { schemaChecksOf } from '../../../engines/tools/json-schema/schema-checks.ts';

/** Finds tools of an agent that its models do not get as they are, or whose arguments are not checked in full. */
export async function findToolWarnings(
  { tools }: Pick<Agent, 'tools'>,
  workspaceId: string,
): Promise<FieldError[]> {
  const checks = schemaChecksOf(workspaceId);
  const warnings: FieldError[] = [];
  for (const [index, { name, description, schema }] of tools.entries()) {
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
