import { z } from 'zod';
import { checkInput } from '../../domain/check-input.ts';
import { parsePath, type PathPart } from './path.ts';
import { builtInPatterns, createPattern, type ValuePattern } from './patterns.ts';

/** The name of a kind of value, which its replacements begin with: `<email-1>`. */
const kindSchema = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, 'expected a word of at most 40 letters');

const pathRuleSchema = z.union([
  z.string().min(1),
  z.strictObject({ path: z.string().min(1), name: kindSchema.optional() }),
]);

const patternRuleSchema = z.union([
  z.string().min(1),
  z.strictObject({ name: kindSchema, pattern: z.string().min(1).max(1000) }),
]);

const maskingRulesSchema = z.strictObject({
  paths: z.array(pathRuleSchema).max(500).default([]),
  patterns: z.array(patternRuleSchema).max(100).default([]),
});

/** A place of a line whose values are replaced. */
interface PathRule {
  kind: string;
  parts: PathPart[];
}

/** The rules by which a file is masked: the values at paths are replaced, and the matches of patterns in texts. */
export interface MaskingRules {
  paths: PathRule[];
  patterns: ValuePattern[];
}

/**
 * Reads rules from JSON.
 * @throws Error that names the invalid rule
 */
export function parseMaskingRules(value: unknown): MaskingRules {
  const checked = checkInput(maskingRulesSchema, value, { whole: 'file' });
  if (!checked.success) {
    const problems = checked.errors.map(({ field, message }) => `${field}: ${message}`);
    throw new Error(`masking rules: ${problems.join('; ')}`);
  }
  const { paths, patterns } = checked.value;
  return { paths: paths.map(toPathRule), patterns: patterns.map(toPattern) };
}

function toPathRule(rule: z.infer<typeof pathRuleSchema>): PathRule {
  const { path, name } = typeof rule === 'string' ? { path: rule, name: undefined } : rule;
  const parts = parsePath(path);
  const last = parts.findLast((part) => typeof part === 'object')?.field ?? 'value';
  return { kind: name ?? last.replaceAll(/\W+/g, '_'), parts };
}

function toPattern(rule: z.infer<typeof patternRuleSchema>): ValuePattern {
  if (typeof rule !== 'string') return createPattern(rule);
  const pattern = builtInPatterns.find(({ kind }) => kind === rule);
  if (pattern) return pattern;
  const known = builtInPatterns.map(({ kind }) => kind).join(', ');
  throw new Error(`masking rules: patterns: expected one of ${known}, or { name, pattern }; found "${rule}"`);
}
