import { z } from 'zod';
import { actorRefSchema } from './actor.ts';

/** The fields of work that is stored to start something later, for the schema of its kind: its makers, and why it stopped. */
export const storedWorkFields = {
  createdBy: actorRefSchema,
  changedBy: actorRefSchema.nullable().describe('The last changer; null before the first change'),
  stoppedAt: z
    .string()
    .nullable()
    .describe(
      'Since when it starts nothing, because who made or changed it lost the right to; null while it works',
    ),
  stoppedReason: z.string().nullable(),
};

export type StoredWorkFields = z.infer<z.ZodObject<typeof storedWorkFields>>;
