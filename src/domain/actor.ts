import { z } from 'zod';

/** The person for whom an API key acts, as its owner names them. */
export const actingForSchema = z.string().trim().min(1).max(200);

/** An API key and the person for whom it acted; both are null for who came through Temporal and named nobody. */
export const actorRefSchema = z.object({ apiKeyId: z.string().nullable(), actingFor: z.string().nullable() });
export type ActorRef = z.infer<typeof actorRefSchema>;

/** The name of a group of approvers. */
const group = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'expected 1 to 100 letters, digits, dots, dashes or underscores');

/** The groups that an API key is in, or of which one has to approve. */
export const groupsSchema = z.array(group).max(50);

/** The actor of a request: the person for whom its key acts, or else the one that the request names. */
export function toActorRef(
  { apiKeyId = null, actsFor = null }: { apiKeyId?: string | null; actsFor?: string | null },
  actingFor: string | undefined,
): ActorRef {
  return { apiKeyId, actingFor: actsFor ?? actingFor ?? null };
}
