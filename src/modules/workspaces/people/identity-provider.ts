import { z } from 'zod';
import { roles } from '../../../domain/role.ts';

/** Public keys alone: a secret that both sides know could be mistaken for a public key of another algorithm. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

const claim = z.string().min(1).max(200);
const httpUrl = z.url({ protocol: /^https?$/ });

/** How a browser gets a token (authorization code with PKCE). */
const loginSchema = z.strictObject({
  clientId: z.string().min(1).max(500),
  /** A public client has none. */
  clientSecret: z.string().min(1).max(2_000).optional(),
  scope: z.string().min(1).max(1_000).default('openid email profile'),
  /** More parameters of the authorization request, such as an audience. */
  parameters: z.record(z.string(), z.string()).default({}),
  /** The token whose claims say who it is: the ID token, or an access token for `audience`. */
  token: z.enum(['id_token', 'access_token']).default('id_token'),
});

/**
 * An OpenID provider whose tokens (JWT, RFC 7519) let people in. A name of a claim with dots leads into objects, such as
 * `realm_access.roles`; a claim of exactly that name is taken first.
 */
export const identityProviderSchema = z
  .strictObject({
    /** Exactly the `iss` of its tokens. */
    issuer: httpUrl,
    /** The `aud` that tokens for Holdfast have. */
    audience: z.string().min(1).max(500),
    /** Where its keys are. @default as its discovery document says */
    jwksUrl: httpUrl.optional(),
    algorithms: z.array(z.enum(algorithms)).min(1).default(['RS256', 'ES256']),
    /** The workspace of all of its people. */
    workspace: z.uuid().optional(),
    /** The claim that names the workspace, and the workspace of each of its values. */
    workspaces: z.strictObject({ claim, of: z.record(z.string(), z.uuid()) }).optional(),
    /** The claim with the name of the person; an `email` without `email_verified: true` is refused. */
    personClaim: claim.default('email'),
    rolesClaim: claim.default('roles'),
    /** The role of each value of that claim. @default values that are names of roles */
    roles: z.record(z.string(), z.enum(roles)).optional(),
    /** The roles of people of whom the claim names none. @default they are refused */
    defaultRoles: z.array(z.enum(roles)).default([]),
    groupsClaim: claim.default('groups'),
    /** How people sign in with a browser. @default they do not: only tokens let them in */
    login: loginSchema.optional(),
  })
  .refine(({ workspace, workspaces }) => (workspace === undefined) !== (workspaces === undefined), {
    path: ['workspace'],
    message: 'expected either "workspace" or "workspaces"',
  });
export type IdentityProvider = z.infer<typeof identityProviderSchema>;

/** The providers of an installation, which differ by their issuers. */
export const identityProvidersSchema = z
  .array(identityProviderSchema)
  .max(20)
  .refine((list) => new Set(list.map(({ issuer }) => issuer)).size === list.length, {
    message: 'expected each issuer once',
  });

/** The part of the discovery document of a provider that says where its keys are (OpenID Connect Discovery 1.0, section 3). */
export const discoverySchema = z.object({ issuer: z.string(), jwks_uri: httpUrl });
