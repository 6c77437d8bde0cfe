import type { FieldError } from '../domain/errors.ts';
import type { Rules, ToolPolicy } from '../domain/rules.ts';
import { countComparedBytes, leastTokenBytes } from '../rules/canary-forms.ts';
import { toPolicySchema } from '../rules/tool-policy.ts';
import { refusalOfPattern } from './json-schema/linear-regexp.ts';
import { checkToolSchema } from './json-schema/tool-arguments.ts';

/** Says which rules cannot be kept as they are written: policies with bad schemas or patterns, tokens too short to find. */
export function checkRules({ toolPolicies, canaryTokens }: Rules): FieldError[] {
  return [
    ...Object.entries(toolPolicies).flatMap(([name, policy]) =>
      checkPolicy(policy).map(({ field, message }) => ({ field: `toolPolicies.${name}.${field}`, message })),
    ),
    ...canaryTokens.flatMap((token, index) => checkToken(token, index)),
  ];
}

function checkToken(token: string, index: number): FieldError[] {
  const count = countComparedBytes(token);
  if (count >= leastTokenBytes) return [];
  const message = `expected at least ${leastTokenBytes} characters when escapes are read, found ${count}`;
  return [{ field: `canaryTokens.${index}`, message }];
}

function checkPolicy(policy: ToolPolicy): FieldError[] {
  const problem = policy.schema ? checkToolSchema(toPolicySchema(policy.schema)) : null;
  return [
    ...(problem === null ? [] : [{ field: 'schema', message: problem }]),
    ...Object.entries(policy.patterns ?? {}).flatMap(([path, pattern]) => checkPattern(path, pattern)),
    ...listPaths(policy).flatMap(([kind, path]) => checkPath(kind, path)),
    ...checkRanges(policy),
  ];
}

function checkPattern(path: string, pattern: string): FieldError[] {
  const refusal = refusalOfPattern(pattern);
  if (refusal === null) return [];
  return [{ field: `patterns.${path}`, message: `the regular expression cannot be used: ${refusal}` }];
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
