import { z } from 'zod';
import { jsonObjectSchema, toolEffects } from './tool.ts';

/** A function that tools of type `function` can call, as the API lists it. */
export const functionListingSchema = z.object({
  name: z.string(),
  description: z.string(),
  schema: jsonObjectSchema,
  /** Where it depends on the arguments, the worst that a call may do. */
  effect: z.enum(toolEffects),
  /** `built_in` ones come with Holdfast, `own` ones from the operator's functions. */
  origin: z.enum(['built_in', 'own']),
});
export type FunctionListing = z.infer<typeof functionListingSchema>;

/** The functions that tools can call. */
export interface FunctionCatalogue {
  /** Lists all functions, the built-in ones first. */
  list: () => FunctionListing[];
}
