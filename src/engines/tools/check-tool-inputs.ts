import { checkInput } from '../../domain/check-input.ts';
import type { FieldError } from '../../domain/errors.ts';
import { toolInputSchema } from './tool-schema.ts';

/** Returns what is wrong with tools that were written elsewhere, by the path in their list. */
export function checkToolInputs(tools: readonly unknown[]): FieldError[] {
  return tools.flatMap((tool, index) => {
    const checked = checkInput(toolInputSchema, tool, { within: [String(index)] });
    return checked.success ? [] : checked.errors;
  });
}
