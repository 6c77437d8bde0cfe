import type { FieldError } from '../domain/errors.ts';
import { toolInputSchema } from './tool-schema.ts';

/** Returns what is wrong with tools that were written elsewhere, by the path in their list. */
export function checkToolInputs(tools: readonly unknown[]): FieldError[] {
  return tools.flatMap((tool, index) => {
    const { error } = toolInputSchema.safeParse(tool);
    return (error?.issues ?? []).map(({ path, message }) => ({
      field: [index, ...path].map(String).join('.'),
      message,
    }));
  });
}
