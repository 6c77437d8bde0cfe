import { z } from 'zod';
import { toolEffects } from './tool.ts';
import { jsonObjectSchema } from './json-value.ts';

/** A function that tools of type `function` can call, as the API lists it. */
export const functionListingSchema = z.object({
  name: z.string(),
  description: z.string(),
  schema: jsonObjectSchema,
  /** The effect of a call; when it depends on the arguments, the worst possible one. */
  effect: z.enum(toolEffects),
  /** Further names that a tool may name it by. */
  aliases: z.array(z.string()).optional(),
  /** `built_in` for functions of Holdfast, `own` for functions of the operator. */
  origin: z.enum(['built_in', 'own']),
});
export type FunctionListing = z.infer<typeof functionListingSchema>;

/** The functions that tools can call. */
export interface FunctionCatalogue {
  /** Lists all functions, the built-in ones first. */
  list: () => FunctionListing[];
  /** Finds a function by its name or one of its aliases. */
  describe: (name: string) => FunctionListing | undefined;
}
