import { z } from 'zod';
import { groupsSchema } from '../../../domain/actor.ts';
import { describeUnknownName } from '../../../domain/nearest-name.ts';
import { personNameSchema } from '../../../domain/person-name.ts';
import { roles } from '../../../domain/role.ts';
import { scopes } from '../../../domain/scope.ts';

const roleSchema = z.enum(roles, {
  error: ({ input }) =>
    typeof input === 'string'
      ? describeUnknownName(input, {
          noun: 'role',
          known: roles,
          listedIn: '"holdfast user-tokens create --help"',
        })
      : undefined,
});
const rolesSchema = z.array(roleSchema).min(1);

/** A new token with which one person uses the API from a browser, for some minutes. */
export const userTokenInputSchema = z.strictObject({
  person: personNameSchema.describe('The person for whom it acts; a key with `actsFor` names its own'),
  roles: rolesSchema.default(['editor']).describe('What the token may do, within the scopes of the key'),
  groups: groupsSchema.default([]).describe('The groups of approvers that it is in, of those of the key'),
  conversations: z
    .array(z.uuid())
    .min(1)
    .max(100)
    .optional()
    .describe('The only conversations that it sees and writes in; it makes no others'),
  minutes: z.int().min(1).max(1_440).default(60),
});
export type UserTokenInput = z.infer<typeof userTokenInputSchema>;

/** A user token as the API shows it, without its secret. */
export const userTokenSchema = z.object({
  id: z.string(),
  person: z.string(),
  roles: z.array(z.enum(roles)),
  scopes: z.array(z.enum(scopes)),
  groups: z.array(z.string()),
  conversations: z.array(z.string()).nullable(),
  expiresAt: z.string(),
});
export type UserToken = z.infer<typeof userTokenSchema>;

/** A person who has signed in at an identity provider, with the roles and groups that the last token named. */
export const personSchema = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  subject: z.string(),
  roles: z.array(z.enum(roles)),
  groups: z.array(z.string()),
  createdAt: z.string(),
  lastSeenAt: z.string().nullable(),
  /** When the person was deactivated; null for one who may sign in. */
  deactivatedAt: z.string().nullable(),
});
export type Person = z.infer<typeof personSchema>;

export const personChangeSchema = z.strictObject({ active: z.boolean() });
