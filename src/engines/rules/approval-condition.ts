import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { toPreview } from '../../domain/text.ts';
import { toPolicySchema, type PolicyChecks } from './tool-policy.ts';

/** An `approvalWhen` of a tool or a policy, with the arguments that it looks at. */
export interface ApprovalCondition {
  schema: JsonObject;
  arguments: JsonObject;
}

/** The condition of a setting for some arguments; none without `approvalWhen`. */
export function listConditions(
  settings: { approvalWhen?: JsonObject | undefined } | undefined,
  input: JsonObject,
): ApprovalCondition[] {
  return settings?.approvalWhen ? [{ schema: settings.approvalWhen, arguments: input }] : [];
}

/** Says which conditions ask a person; empty when none does. Arguments that cannot be judged ask. */
export async function findAskingReasons(
  conditions: ApprovalCondition[],
  { matchesSchema }: Pick<PolicyChecks, 'matchesSchema'>,
): Promise<string[]> {
  const reasons: string[] = [];
  for (const { schema, arguments: input } of conditions) {
    const matches = await matchesSchema(toPolicySchema(schema), input);
    if (matches === false) continue;
    const words = describeCondition(schema);
    reasons.push(matches === null ? `the arguments cannot be checked for: ${words}` : words);
  }
  return [...new Set(reasons)];
}

const longestReason = 300;

/** Describes a condition by its `description`, and otherwise by those of its keywords that have words. */
export function describeCondition(schema: JsonObject): string {
  const { description } = schema;
  const words =
    typeof description === 'string' && description.trim() !== ''
      ? description.trim()
      : listWords(schema, '', deepest).join(' and ');
  return toPreview(words === '' ? 'the arguments match approvalWhen' : words, longestReason);
}

/** Schemas below this depth are left out of the words. */
const deepest = 4;

const comparisons: Record<string, string> = {
  exclusiveMinimum: '>',
  minimum: '>=',
  exclusiveMaximum: '<',
  maximum: '<=',
  const: '=',
};

const lengths: Record<string, string> = { minLength: '>=', maxLength: '<=', minItems: '>=', maxItems: '<=' };

function listWords(schema: JsonObject, path: string, depth: number): string[] {
  if (depth === 0) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => toWords(keyword, value, { path, depth }));
}

function toWords(
  keyword: string,
  value: JsonValue,
  { path, depth }: { path: string; depth: number },
): string[] {
  const inside = (part: JsonValue, name = path) =>
    isJsonObject(part) ? listWords(part, name, depth - 1) : [];
  const named = path === '' ? 'the arguments' : path;
  const sign = comparisons[keyword];
  if (sign !== undefined) return [`${named} ${sign} ${JSON.stringify(value)}`];
  const length = lengths[keyword];
  if (length !== undefined) return [`${named}.length ${length} ${JSON.stringify(value)}`];
  if (keyword === 'enum' && Array.isArray(value))
    return [`${named} is one of ${value.map((one) => JSON.stringify(one)).join(', ')}`];
  if (keyword === 'pattern' && typeof value === 'string') return [`${named} matches ${value}`];
  if (keyword === 'properties' && isJsonObject(value))
    return Object.entries(value).flatMap(([name, part]) =>
      inside(part, path === '' ? name : `${path}.${name}`),
    );
  if (keyword === 'items' || keyword === 'contains') return inside(value, `${path}[]`);
  if (keyword === 'not') {
    const words = inside(value).join(' and ');
    return words === '' ? [] : [`not (${words})`];
  }
  if (keyword === 'allOf' && Array.isArray(value)) return value.flatMap((part) => inside(part));
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return [];
  const options = Array.isArray(value) ? value.map((part) => inside(part).join(' and ')) : [];
  return options.length === 0 || options.includes('') ? [] : [`(${options.join(' or ')})`];
}
