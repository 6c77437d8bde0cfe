import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { OpenApiParameter } from './find-operation.ts';

const separators: Record<string, string> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  ssv: ' ',
  tsv: '\t',
  pipes: '|',
};

/** Returns a parameter of the query as pairs, by its `style` and `explode`, or by its `collectionFormat` of Swagger 2. */
export function toPairs(
  { name, definition }: OpenApiParameter,
  value: JsonValue,
): [name: string, value: string][] {
  // Swagger 2 has no `schema` in its parameters, and joins lists by default.
  const isSwagger = definition.schema === undefined && definition.content === undefined;
  const style = toWord(isSwagger ? definition.collectionFormat : definition.style) ?? 'form';
  const explodes = isSwagger ? style === 'multi' : (definition.explode ?? style === 'form');
  const separator = separators[style] ?? ',';
  if (Array.isArray(value)) {
    if (explodes === true) return value.map((item) => [name, toText(item)]);
    return [[name, value.map(toText).join(separator)]];
  }
  if (!isJsonObject(value)) return [[name, toText(value)]];
  const fields = Object.entries(value).map(([key, field]): [string, string] => [key, toText(field ?? null)]);
  if (style === 'deepObject') return fields.map(([key, field]) => [`${name}[${key}]`, field]);
  return explodes === true ? fields : [[name, fields.flat().join(separator)]];
}

function toWord(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A list is joined with commas, and everything else that is no text is written as JSON. */
export function toText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(toText).join(',') : JSON.stringify(value);
}
