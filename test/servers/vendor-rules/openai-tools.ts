import { z } from 'zod';
import {
  checkDraft,
  checkReferences,
  checkTop,
  checkUnique,
  functionName,
  listParts,
  record,
  type Definition,
  type Report,
} from './tool-rules.ts';

/** The definition of a function in both protocols of OpenAI. */
export const functionTool = {
  name: functionName,
  description: z.string().optional(),
  parameters: record,
  strict: z.boolean().nullish(),
};

/** Arguments of a call, which are JSON. */
export const argumentsText = z.string().refine((text) => {
  try {
    return record.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}, 'arguments have to be a JSON object');

const refusedOnTop = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'];

/** Reports functions that OpenAI refuses. */
export function checkFunctions(
  tools: { name: string; parameters: Definition['schema'] }[],
  report: Report,
): void {
  if (tools.length > 128) report(`at most 128 tools are allowed, and there are ${tools.length}`);
  checkUnique(
    'names of functions',
    tools.map(({ name }) => name),
    report,
  );
  for (const { name, parameters } of tools) {
    const definition = { name, schema: parameters };
    checkTop(definition, refusedOnTop, report);
    checkDraft(definition, report);
    checkReferences(definition, report);
    if (listParts(parameters).some((part) => part['type'] === 'array' && part['items'] === undefined))
      report(`${name}: array schema missing items`);
    if (listParts(parameters).some(({ pattern }) => typeof pattern === 'string' && /\(\?[=!<]/.test(pattern)))
      report(`${name}: regex lookaround is not supported`);
  }
}
