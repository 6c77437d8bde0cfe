import { diffLines } from 'diff';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { Difference } from './compare-agents.ts';
import type { PushPlan, PushStep } from './plan-push.ts';

/** The longest value that is shown whole, in characters. */
const longestValue = 80;

/** The most lines of a changed text that are shown. */
const mostLines = 40;

/** Describes what a push does, line by line: `+` is new, `~` is changed, `-` is deleted. */
export function describePlan({ steps, leftOver, warnings }: PushPlan): string[] {
  return [
    ...steps.flatMap(describeStep),
    ...leftOver.map(
      (name) => `! "${name}" was made by an earlier push and is in no file now. --prune deletes it.`,
    ),
    ...warnings.map((warning) => `! ${warning}`),
  ];
}

function describeStep(step: PushStep): string[] {
  if (step.kind === 'same') return [];
  if (step.kind === 'create') return [`+ ${step.name}: a new agent (${step.source})`];
  const { version } = step.agent;
  if (step.kind === 'delete') return [`- ${step.name}: deleted (version ${version})`];
  const differences = step.comparison.differences.map(hideSecrets).flatMap(describeDifference);
  return [
    `~ ${step.name}: version ${version} → ${version + 1} (${step.source})`,
    ...differences.map((line) => `    ${line}`),
  ];
}

/** Canary tokens are secrets of the operator. */
export function hideSecrets(difference: Difference): Difference {
  if (difference.path !== 'rules.canaryTokens') return difference;
  const hide = (value: JsonValue | undefined) => (Array.isArray(value) ? value.map(() => '…') : value);
  return { ...difference, before: hide(difference.before), after: hide(difference.after) };
}

function describeDifference({ path, before, after }: Difference): string[] {
  const [, tool] = /^tools\.([^.]+)$/.exec(path) ?? [];
  if (tool !== undefined && before === undefined) return [`+ tool ${tool} (${typeOf(after)})`];
  if (tool !== undefined && after === undefined) return [`- tool ${tool} (${typeOf(before)})`];
  const [, skill, file] = /^skills\.([^.]+)(?:\.(.+))?$/.exec(path) ?? [];
  if (skill !== undefined) return [describeSkill(skill, file, { before, after })];
  if (isText(before) && isText(after) && `${before}${after}`.includes('\n'))
    return [`${path}:`, ...describeText(before, after)];
  return [`${path}: ${show(before)} → ${show(after)}`];
}

function describeSkill(
  skill: string,
  file: string | undefined,
  { before, after }: Pick<Difference, 'before' | 'after'>,
): string {
  const sign = before === undefined ? '+' : after === undefined ? '-' : '~';
  return file === undefined ? `${sign} skill ${skill}` : `${sign} skill ${skill}: ${file}`;
}

function typeOf(tool: JsonValue | undefined): string {
  return isJsonObject(tool) && typeof tool['type'] === 'string' ? tool['type'] : '';
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

/** The lines that differ, without those around them. */
function describeText(before: string, after: string): string[] {
  const lines = diffLines(`${before}\n`, `${after}\n`).flatMap(({ value, added, removed }) => {
    if (!added && !removed) return [];
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `  ${added ? '+' : '-'} ${line}`);
  });
  const more = lines.length - mostLines;
  return more > 0 ? [...lines.slice(0, mostLines), `  … ${more} more lines`] : lines;
}

function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'not set';
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
