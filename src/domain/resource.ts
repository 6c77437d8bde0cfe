import { z } from 'zod';
import { jsonObjectSchema } from './json-value.ts';
import type { Scope } from './scope.ts';

/** The operations on resources. */
export const resourceOperations = ['find', 'add', 'update', 'delete'] as const;
export type ResourceOperation = (typeof resourceOperations)[number];

/**
 * The maker of a resource or of one of its versions: a person for whom an API key acted, an API key, or an agent in one of
 * its turns, with the person who started that turn.
 */
export const makerSchema = z.object({
  type: z.enum(['person', 'key', 'agent']),
  person: z.string().nullable(),
  apiKeyId: z.string().nullable(),
  agentId: z.string().nullable(),
  turnId: z.string().nullable(),
});
export type Maker = z.infer<typeof makerSchema>;

/** One numbered, immutable version of a resource. */
export const resourceVersionSchema = z.object({
  version: z.int(),
  attributes: jsonObjectSchema,
  madeBy: makerSchema.nullable(),
  createdAt: z.string(),
});
export type ResourceVersion = z.infer<typeof resourceVersionSchema>;

/** A resource with the attributes of its newest version. Times are ISO 8601. */
export const resourceSchema = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  version: z.int(),
  attributes: jsonObjectSchema,
  /** The maker of the first version; null when it is not known. */
  owner: makerSchema.nullable(),
  /** When a memory is forgotten; null for what does not expire. */
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** When it was deleted. It can be restored until it is removed. */
  deletedAt: z.string().nullable(),
});
export type Resource = z.infer<typeof resourceSchema>;

/** The caller of an operation on resources. */
export interface ResourceCaller {
  workspaceId: string;
  maker: Maker;
  /** The only person whose memories the caller may see; null for a caller who may see those of all. */
  onlyPerson: string | null;
  /** The scopes of the caller, or of the actor that had the agent called. */
  scopes: readonly Scope[];
}

/** How long a deleted resource can be restored, in days. */
export const restorableDays = 30;
