import type { JsonValue } from '../../../domain/json.ts';
import { toParameterPairs } from '../../../platform/lib/parameter-pairs.ts';
import type { OpenApiParameter } from '../../openapi/merge-parameters.ts';

/** Returns a parameter of the query as pairs, by its `style` and `explode`, or by its `collectionFormat` of Swagger 2. */
export function toPairs(
  { name, definition }: Pick<OpenApiParameter, 'name' | 'definition'>,
  value: JsonValue,
): [name: string, value: string][] {
  // Swagger 2 has no `schema` in its parameters, and joins lists by default.
  const isSwagger = definition.schema === undefined && definition.content === undefined;
  const style = isSwagger ? definition.collectionFormat : definition.style;
  const explode = isSwagger ? style === 'multi' : definition.explode;
  return toParameterPairs(name, value, {
    ...(typeof style === 'string' ? { style } : {}),
    ...(typeof explode === 'boolean' ? { explode } : {}),
  });
}
