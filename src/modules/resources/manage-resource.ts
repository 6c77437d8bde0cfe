import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import { jsonObjectSchema } from '../../domain/json-value.ts';
import type { Resource } from '../../domain/resource.ts';
import { toPreview } from '../../domain/text.ts';
import { addResource } from './add-resource.ts';
import type { AgentCaller } from './agent-caller.ts';
import { findResources, getResource } from './find-resources.ts';
import { getManagedKind, getOperation } from './managed-kinds.ts';
import { toArgumentSchema } from './operation-schema.ts';
import { parseInput } from './parse-input.ts';
import type { ResourceDependencies } from './resource-dependencies.ts';
import type { ResourceKind } from './resource-kind.ts';
import { deleteResource, updateResource } from './update-resource.ts';

/** The arguments of all operations, after the schema of their kind has checked them. */
const checkedSchema = z.object({
  id: z.string().optional(),
  query: z.string().optional(),
  filters: jsonObjectSchema.optional(),
  limit: z.int().default(10),
  cursor: z.string().optional(),
  attributes: jsonObjectSchema.optional(),
  version: z.int().optional(),
});
type Checked = z.infer<typeof checkedSchema>;

/** The characters of a text that lists show. */
const excerptCharacters = 400;

/**
 * Runs one call of `resource_manage`, and returns the result for the model.
 * @throws HoldfastError `INVALID_INPUT` with every wrong field, `NOT_FOUND`, `CONFLICT`, `FORBIDDEN`
 */
export async function manageResource(
  dependencies: ResourceDependencies,
  caller: AgentCaller,
  toolArguments: JsonObject,
): Promise<JsonObject> {
  const kind = getManagedKind(toolArguments.resource_type, 'resource_type');
  const op = getOperation(toolArguments.op);
  const checked = checkedSchema.parse(parseInput(toArgumentSchema(kind, op), toolArguments, ''));
  const { attributes = {}, version: expectedVersion } = checked;
  const { key } = caller;
  const named = { id: checked.id ?? '', kind: kind.kind };
  switch (op) {
    case 'find':
      return find(dependencies, caller, { kind, checked });
    case 'add':
      return toWhole(await addResource(dependencies, caller, { kind: kind.kind, attributes, key }));
    case 'update':
      return toWhole(
        await updateResource(dependencies, caller, { ...named, attributes, expectedVersion, key }),
      );
    case 'delete':
      await deleteResource(dependencies, caller, { ...named, expectedVersion });
      return { deleted: true, id: named.id };
  }
}

interface Finding {
  kind: ResourceKind;
  checked: Checked;
}

async function find(
  dependencies: ResourceDependencies,
  caller: AgentCaller,
  { kind, checked: { id, query, filters, limit, cursor } }: Finding,
): Promise<JsonObject> {
  if (id !== undefined) return toWhole(await getResource(dependencies, caller, { id, kind: kind.kind }));
  const page = { kind: kind.kind, query, filters, limit, cursor };
  const { items, nextCursor } = await findResources(dependencies, caller, page);
  return { resources: items.map((item) => toListed(kind, item)), nextCursor };
}

function toWhole({ id, kind, version, attributes, owner, createdAt, updatedAt }: Resource): JsonObject {
  return { id, resource_type: kind, version, attributes, owner, createdAt, updatedAt };
}

/** Lists show the beginning of a text. */
function toListed(
  { textOf }: ResourceKind,
  { id, name, tags, version, attributes, updatedAt }: Resource,
): JsonObject {
  const described = attributes.description === '' ? {} : { description: attributes.description ?? '' };
  return {
    id,
    name,
    ...described,
    tags,
    version,
    updatedAt,
    excerpt: toPreview(textOf(attributes), excerptCharacters),
  };
}
