import { z } from 'zod';
import type { OperationInput } from '../../src/engines/providers/operation-input.ts';

/** Returns the fields of an input of the catalogue, which is an object of zod. */
export function shapeOf(input: OperationInput): Readonly<Record<string, z.ZodType>> {
  if (input instanceof z.ZodObject) return input.shape;
  throw new TypeError('expected an object of zod');
}
