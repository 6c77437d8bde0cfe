import { z } from 'zod';
import { groupsSchema } from './actor.ts';
import { personNameSchema } from './person-name.ts';

/** The scopes: each allows requests of one kind. */
export const scopes = [
  'agents:read',
  'agents:write',
  'conversations:read',
  'conversations:write',
  'approvals:decide',
  'connections:read',
  'connections:write',
  'knowledge:read',
  'knowledge:write',
  'resources:read',
  'resources:write',
  'inbox:read',
  'inbox:write',
  'webhooks:read',
  'webhooks:write',
  'replays:read',
  'replays:write',
  'routines:read',
  'routines:write',
  'swarms:read',
  'swarms:write',
  'audit:read',
  'analytics:read',
  'budgets:read',
  'budgets:write',
  'payloads:read',
  'api_keys:write',
] as const;
export type Scope = (typeof scopes)[number];

/**
 * A new API key. Without `scopes` it has all scopes but `api_keys:write` and `payloads:read`. `groups` are the groups of
 * approvers that it is in. A key that `actsFor` a person acts for nobody else, whatever its requests say.
 */
export const apiKeyInputSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  scopes: z.array(z.enum(scopes)).min(1).optional(),
  expiresAt: z.iso.datetime().optional(),
  groups: groupsSchema.optional(),
  actsFor: personNameSchema.optional(),
});
export type ApiKeyInput = z.infer<typeof apiKeyInputSchema>;

/** An API key as the API shows it, without its secret. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  groups: z.array(z.string()),
  actsFor: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;
