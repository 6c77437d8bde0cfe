import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import type { ResourceCaller } from '../../domain/resource.ts';
import type { Right } from '../../domain/rights.ts';
import type { ResourceDependencies } from './resource-dependencies.ts';
import type { ResourceStore } from './stores/resource-store.ts';

/** The schemas of one kind. They use nothing that JSON Schema cannot say, so that `toOperationSchema` is exact. */
interface KindSchemas {
  /** The attributes of a new resource. */
  attributes: z.ZodType<JsonObject>;
  /** The attributes that an update replaces; the others stay. */
  change: z.ZodType<JsonObject>;
  /** The fields by which a search may be narrowed. */
  filters: z.ZodType<JsonObject>;
}

/** All that Holdfast knows about one kind of resource. */
export interface ResourceKind extends KindSchemas {
  /** The value of `kind`, and of `resource_type` in calls of agents. */
  kind: string;
  /** One sentence about it, for people and models. */
  description: string;
  /** The rights of the separate API that the kind has. @default none: those to resources are enough */
  rights?: { read: Right; write: Right };
  /** Whether `resource_manage` knows it. @default true */
  isManaged?: boolean;
  /** The name of a resource, by which lists show it. @default the attribute `name` */
  nameOf?: (attributes: JsonObject) => string;
  /** The text that a search finds it by, besides its name and its tags. */
  textOf: (attributes: JsonObject) => string;
  /**
   * Checks what a schema cannot: that other things exist, and that parts fit together.
   * @throws HoldfastError `INVALID_INPUT`
   */
  check?: (attributes: JsonObject, context: CheckContext) => Promise<void>;
  /** The attributes that are stored, and when the resource expires. @default all, and never */
  toStored?: (attributes: JsonObject, now: Date) => { attributes: JsonObject; expiresAt?: Date | null };
  /** For whom a memory is; null when the whole workspace sees the resource. @default null */
  scopeOf?: (attributes: JsonObject) => string | null;
  /** Where resources of this kind are kept. @default in the table of resources */
  createStore?: (dependencies: ResourceDependencies) => ResourceStore;
}

/** Where a check is made, and for whom. */
export interface CheckContext {
  dependencies: ResourceDependencies;
  caller: Pick<ResourceCaller, 'workspaceId' | 'onlyPerson'>;
}

type Shape = Record<string, z.ZodType>;

interface KindParts extends Omit<ResourceKind, 'attributes' | 'change' | 'filters'> {
  /** The fields of `attributes` besides `name`, `description` and `tags`. */
  fields: Shape;
  /** The filters besides `tags`. @default none */
  filterFields?: Shape;
}

const text = (maximum: number) => z.string().min(1).max(maximum).regex(/\S/, 'expected more than blanks');

/** Builds the schema of a text with at least one character that is no blank. */
export const nonBlank = text;

const tag = text(64);
const tags = z.array(tag).max(20);

/** The fields that resources of most kinds have. */
export const commonFields = {
  name: text(200),
  description: z.string().max(4_000).default(''),
  tags: tags.default([]),
};

/** Facts that JSON Schema says and zod does not, by the schema they belong to. */
export const schemaHints = z.registry<Record<string, unknown>>();

/** Builds the schema of a change: each field of `attributes` may be left out, and at least one is there. */
export function toChangeSchema(fields: Shape): z.ZodType<JsonObject> {
  const optional = Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, withoutDefault(schema).optional()]),
  );
  const change = z
    .strictObject(optional)
    .refine((value) => Object.keys(value).length > 0, 'expected at least one attribute');
  schemaHints.add(change, { minProperties: 1 });
  return change as unknown as z.ZodType<JsonObject>;
}

/** A default would replace what a change leaves out. */
function withoutDefault(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema;
}

/** Builds the schema of the filters of a kind. */
export function toFilterSchema(fields: Shape): z.ZodType<JsonObject> {
  const all = { tags: tags.optional().describe('Only resources with all of these tags'), ...fields };
  return z.strictObject(all) as unknown as z.ZodType<JsonObject>;
}

/** Defines a kind whose resources have a name, a description and tags. */
export function defineKind({ fields, filterFields = {}, ...kind }: KindParts): ResourceKind {
  const all = { ...commonFields, ...fields };
  return {
    ...kind,
    attributes: z.strictObject(all),
    change: toChangeSchema(all),
    filters: toFilterSchema(filterFields),
  };
}
