import { z } from 'zod';
import { groupsSchema } from './actor.ts';
import { dateTimeSchema } from './date-time.ts';
import { describeUnknownName } from './nearest-name.ts';
import { personNameSchema } from './person-name.ts';
import { scopes } from './scope.ts';

const scopeSchema = z.enum(scopes, {
  error: ({ input }) =>
    typeof input === 'string'
      ? describeUnknownName(input, {
          noun: 'scope',
          known: scopes,
          listedIn: '"holdfast api-keys create --help"',
        })
      : undefined,
});

/**
 * A new API key. Without `scopes` it has all scopes but `api_keys:write` and `payloads:read`. `groups` are the groups of
 * approvers that it is in. A key with `actsFor` acts for that person alone, whatever its requests say.
 */
export const apiKeyInputSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  scopes: z.array(scopeSchema).min(1).optional(),
  expiresAt: dateTimeSchema.optional(),
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
