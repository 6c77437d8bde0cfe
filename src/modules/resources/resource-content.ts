import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { CheckContext, ResourceKind } from './resource-kind.ts';
import type { NewResource } from './stores/resource-store.ts';

/**
 * Checks attributes that fit the schema of their kind, and returns what is stored of them.
 * @throws HoldfastError `INVALID_INPUT`
 */
export async function toContent(
  kind: ResourceKind,
  attributes: JsonObject,
  context: CheckContext,
): Promise<Omit<NewResource, 'id' | 'scope'>> {
  await kind.check?.(attributes, context);
  const now = context.dependencies.now?.() ?? new Date();
  const stored = kind.toStored?.(attributes, now) ?? { attributes };
  const name = kind.nameOf?.(attributes) ?? toTextAttribute(attributes.name);
  const text = `${toTextAttribute(attributes.description)}\n${kind.textOf(attributes)}`;
  return { ...stored, name, text };
}

/** An attribute that the schema of its kind has found to be a text. */
function toTextAttribute(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
