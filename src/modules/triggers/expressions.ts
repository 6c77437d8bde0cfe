import { createInvalidInput } from '../../domain/errors.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { TriggerAction } from './trigger.ts';
import { evaluatePrograms } from '../routines/expressions/evaluate-programs.ts';

/** The values that programs may use: the payload as `.`, and the others as variables. */
export interface ProgramScope {
  workspaceId: string;
  payload: JsonValue;
  event: string | null;
  deliveryId: string | null;
  /** The tag of texts that the function `data` shows. */
  dataTag: string;
}

/**
 * Lets a template show a text of the payload as data: between tags that the sender cannot know beforehand, so that nothing
 * in the text ends them.
 */
const definitions =
  'def data: "<\\($dataTag)>\\n" + (if type == "string" then . else tojson end) + "\\n</\\($dataTag)>";';

const placeholder = /\{\{([\s\S]*?)\}\}/g;

/**
 * Evaluates programs over a payload.
 * @throws HoldfastError `INVALID_INPUT` for a program that fails, `SERVICE_UNAVAILABLE` when there was no time for it
 */
export async function evaluate(
  { workspaceId, payload: dot, ...variables }: ProgramScope,
  field: string,
  programs: string[],
): Promise<JsonValue[]> {
  if (programs.length === 0) return [];
  const defined = programs.map((program) => `${definitions} ${program}`);
  const answer = await evaluatePrograms(workspaceId, { programs: defined, dot, variables });
  if ('values' in answer) return answer.values;
  throw createInvalidInput([{ field, message: answer.problem }]);
}

/** Replaces each `{{ program }}` of a template by its value: a text as it is, null by nothing, other values as JSON. */
export async function fillTemplate(scope: ProgramScope, field: string, template: string): Promise<string> {
  const values = await evaluate(scope, field, listPrograms(template));
  let next = 0;
  return template.replaceAll(placeholder, () => toText(values[next++] ?? null));
}

function toText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listPrograms(template: string): string[] {
  return [...template.matchAll(placeholder)].map(([, program = '']) => program.trim());
}

/**
 * Checks that the programs of a trigger can be read by jq.
 * @throws HoldfastError `INVALID_INPUT` with the field of the first that cannot
 */
export async function checkExpressions(
  workspaceId: string,
  { filter, action }: { filter?: string | null | undefined; action?: TriggerAction | undefined },
): Promise<void> {
  const fields: [field: string, programs: string[]][] = [['filter', filter ? [filter] : []]];
  if (action?.kind === 'routine') fields.push(['action.input', action.input ? [action.input] : []]);
  if (action?.kind === 'turn') {
    for (const field of ['message', 'conversationKey', 'actingFor'] as const)
      fields.push([`action.${field}`, listPrograms(action[field] ?? '')]);
  }
  for (const [field, programs] of fields) {
    // Read, and not run: the payload is null here.
    const unrun = programs.map((program) => `if . then first(\n${program}\n) else null end`);
    const scope = { workspaceId, payload: null, event: null, deliveryId: null, dataTag: 'data' };
    await evaluate(scope, field, unrun);
  }
}
