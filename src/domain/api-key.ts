import { z } from 'zod';

/** What an API key may do. */
export const scopes = [
  'agents:read',
  'agents:write',
  'conversations:read',
  'conversations:write',
  'connections:read',
  'connections:write',
  'knowledge:read',
  'knowledge:write',
  'audit:read',
  'analytics:read',
  'payloads:read',
  'api_keys:write',
] as const;
export type Scope = (typeof scopes)[number];

/** A key as a caller asks for it; without scopes it may do everything but manage keys and read payloads. */
export const apiKeyInputSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  scopes: z.array(z.enum(scopes)).min(1).optional(),
  expiresAt: z.iso.datetime().optional(),
});
export type ApiKeyInput = z.infer<typeof apiKeyInputSchema>;

/** A key as it is listed: never with its secret. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** Who makes a request: the workspace comes from the credential and from nowhere else. */
export interface Principal {
  workspaceId: string;
  apiKeyId: string;
  scopes: Scope[];
}
