import type { FieldError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Rules, ToolPolicy } from '../../domain/rules.ts';
import { countComparedCharacters, leastTokenCharacters } from '../rules/canary-detector.ts';
import { toPolicySchema } from '../rules/tool-policy.ts';
import type { SchemaChecks } from './json-schema/schema-checks.ts';
import { listUnknownKeywords } from './json-schema/unknown-keywords.ts';

type RuleChecks = Pick<SchemaChecks, 'findSchemaProblem' | 'findPatternProblem'>;

/**
 * Says which rules cannot be kept as they are written: policies with bad schemas or patterns or with keywords that are
 * not checked, tokens too short to find.
 */
export async function checkRules(
  { toolPolicies, canaryTokens }: Rules,
  checks: RuleChecks,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [name, policy] of Object.entries(toolPolicies)) {
    const wrong = await checkPolicy(policy, checks);
    errors.push(...wrong.map(({ field, message }) => ({ field: `toolPolicies.${name}.${field}`, message })));
  }
  return [...errors, ...canaryTokens.flatMap((token, index) => checkToken(token, index))];
}

function checkToken(token: string, index: number): FieldError[] {
  const count = countComparedCharacters(token);
  if (count >= leastTokenCharacters) return [];
  const message = `expected at least ${leastTokenCharacters} characters without white space and invisible ones, found ${count}`;
  return [{ field: `canaryTokens.${index}`, message }];
}

async function checkPolicy(policy: ToolPolicy, checks: RuleChecks): Promise<FieldError[]> {
  const problem = policy.schema ? await checks.findSchemaProblem(toPolicySchema(policy.schema)) : null;
  return [
    ...(problem === null ? listUnchecked(policy) : [{ field: 'schema', message: problem }]),
    ...(await checkCondition(policy, checks)),
    ...(await checkPatterns(policy, checks)),
    ...listPaths(policy).flatMap(([kind, path]) => checkPath(kind, path)),
    ...checkRanges(policy),
  ];
}

/** The size of a condition, in characters of JSON: each call is checked with it, mostly without a thread. */
const largestCondition = 8_000;

/** Says why an `approvalWhen` cannot be kept as it is written. */
export async function checkCondition(
  { approvalWhen }: Pick<ToolPolicy, 'approvalWhen'>,
  { findSchemaProblem }: Pick<SchemaChecks, 'findSchemaProblem'>,
): Promise<FieldError[]> {
  if (!approvalWhen) return [];
  const { length } = JSON.stringify(approvalWhen);
  const field = 'approvalWhen';
  if (length > largestCondition)
    return [{ field, message: `expected at most ${largestCondition} characters of JSON, found ${length}` }];
  const problem = await findSchemaProblem(toPolicySchema(approvalWhen));
  return problem === null ? listUncheckedIn(approvalWhen, field) : [{ field, message: problem }];
}

/** The most keywords of one policy that are named. */
const mostKeywords = 20;

function listUnchecked({ schema }: ToolPolicy): FieldError[] {
  return schema ? listUncheckedIn(schema, 'schema') : [];
}

function listUncheckedIn(schema: JsonObject, within: string): FieldError[] {
  return listUnknownKeywords(toPolicySchema(schema))
    .slice(0, mostKeywords)
    .map(({ field, message }) => ({ field: `${within}.${field}`, message }));
}

/** Lists the parts of stored policies that have no effect: keywords and formats that no check reads. */
export function findUncheckedRules({ toolPolicies }: Pick<Rules, 'toolPolicies'>): FieldError[] {
  return Object.entries(toolPolicies).flatMap(([name, policy]) =>
    listUnchecked(policy).map(({ field, message }) => ({
      field: `rules.toolPolicies.${name}.${field}`,
      message: `${message}: this part of the policy refuses nothing`,
    })),
  );
}

async function checkPatterns(
  { patterns = {} }: ToolPolicy,
  { findPatternProblem }: RuleChecks,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [path, pattern] of Object.entries(patterns)) {
    const problem = await findPatternProblem(pattern);
    if (problem === null) continue;
    errors.push({ field: `patterns.${path}`, message: `the regular expression cannot be used: ${problem}` });
  }
  return errors;
}

function listPaths(policy: ToolPolicy): [kind: string, path: string][] {
  const { minimums = {}, maximums = {}, allowedValues = {}, patterns = {}, forbiddenFields = [] } = policy;
  const named = Object.entries({ minimums, maximums, allowedValues, patterns });
  return [
    ...named.flatMap(([kind, limits]) => Object.keys(limits).map((path): [string, string] => [kind, path])),
    ...forbiddenFields.map((path): [string, string] => ['forbiddenFields', path]),
  ];
}

function checkPath(kind: string, path: string): FieldError[] {
  if (path.split('.').every((name) => name !== '')) return [];
  return [{ field: `${kind}.${path}`, message: 'expected names with single dots between them' }];
}

function checkRanges({ minimums = {}, maximums = {} }: ToolPolicy): FieldError[] {
  return Object.entries(minimums).flatMap(([path, minimum]) => {
    const maximum = maximums[path];
    if (maximum === undefined || minimum <= maximum) return [];
    return [
      { field: `minimums.${path}`, message: `expected at most the maximum ${maximum}, found ${minimum}` },
    ];
  });
}
