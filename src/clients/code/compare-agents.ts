import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { withoutDefaults, type PortableAgent, type PortableTool } from './portable.ts';

/** One difference between an agent in the workspace and in the code; undefined where a side has no such field. */
export interface Difference {
  /** The dotted path of the field. */
  path: string;
  before: JsonValue | undefined;
  after: JsonValue | undefined;
}

/** The fields that differ, and each difference in them. */
export interface Comparison {
  fields: (keyof PortableAgent)[];
  differences: Difference[];
}

/** Compares two agents. Values that are the default, and the order of tools, are no difference. */
export function compareAgents(before: PortableAgent, after: PortableAgent): Comparison {
  const [one, other] = [toComparable(before), toComparable(after)];
  const fields = Object.keys(other).filter((name) => !isDeepStrictEqual(one[name], other[name]));
  return {
    fields: fields as (keyof PortableAgent)[],
    differences: fields.flatMap((name) => findDifferences(name, one[name], other[name])),
  };
}

/** The tools and skills are objects by their names, whose order does not count. */
function toComparable(agent: PortableAgent): JsonObject {
  const { tools, skills, ...rest } = withoutDefaults(agent);
  const byName = new Map(tools.map((tool) => [tool.name, toPlainTool(tool)]));
  const plain = { ...rest, tools: Object.fromEntries(byName), skills: toPlainSkills(skills) };
  return JSON.parse(JSON.stringify(plain)) as JsonObject;
}

/** The digests of the files of each skill by their paths. */
function toPlainSkills(skills: PortableAgent['skills']) {
  const entries = skills.map(({ name, files }) => {
    const digests = files.map(({ path, digest }) => [path, digest] as const);
    return [name, Object.fromEntries(digests)] as const;
  });
  return Object.fromEntries(entries);
}

function toPlainTool({ type, description, schema, settings, config }: PortableTool) {
  return { type, description, schema, settings, config };
}

function findDifferences(
  path: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => findDifferences(`${path}.${name}`, before[name], after[name]));
}
