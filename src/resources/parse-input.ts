import type { z } from 'zod';
import { createInvalidInput } from '../domain/errors.ts';

/**
 * Parses a part of an input. `field` is the name of that part.
 * @throws HoldfastError `INVALID_INPUT` with every wrong field
 */
export function parseInput<Output>(schema: z.ZodType<Output>, input: unknown, field: string): Output {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, 50).map(({ path, message }) => ({
    field: [field, ...path.map(String)].filter((name) => name !== '').join('.'),
    message,
  }));
  throw createInvalidInput(errors);
}
