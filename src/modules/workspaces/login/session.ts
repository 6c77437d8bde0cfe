import { z } from 'zod';
import { scopes } from '../../../domain/scope.ts';

/** The lifetime of a session, in minutes, when the request names none: a working day. */
const standardMinutes = 480;

/** A new session of a browser. */
export const sessionInputSchema = z.strictObject({
  minutes: z.int().min(1).max(1_440).default(standardMinutes),
});
export type SessionInput = z.output<typeof sessionInputSchema>;

/** The person and the rights with which a request comes, and the end of its session. */
export const identitySchema = z.object({
  workspaceId: z.string(),
  /** The only person for whom the requests act; null when they may name anybody. */
  person: z.string().nullable(),
  scopes: z.array(z.enum(scopes)),
  groups: z.array(z.string()),
  /** Whether it sees all of the workspace, or only what belongs to its person or is shared with that one. */
  reach: z.enum(['workspace', 'own']),
  /** The end of the session; null for a request with a key or a token. */
  sessionExpiresAt: z.string().nullable(),
});
export type Identity = z.infer<typeof identitySchema>;
