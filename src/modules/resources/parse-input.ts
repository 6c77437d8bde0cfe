import type { z } from 'zod';
import { checkInput } from '../../domain/check-input.ts';
import { createInvalidInput } from '../../domain/errors.ts';

/**
 * Parses a part of an input. `field` is the name of that part.
 * @throws HoldfastError `INVALID_INPUT` with every wrong field
 */
export function parseInput<Output>(schema: z.ZodType<Output>, input: unknown, field: string): Output {
  const checked = checkInput(schema, input, { within: field === '' ? [] : [field] });
  if (checked.success) return checked.value;
  throw createInvalidInput(checked.errors);
}
