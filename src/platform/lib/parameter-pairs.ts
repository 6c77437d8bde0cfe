import { isJsonObject, type JsonValue } from '../../domain/json.ts';

/** How OpenAPI writes a parameter: https://spec.openapis.org/oas/v3.1.1.html#style-values */
export interface ParameterStyle {
  /** `json` writes the value as JSON, as parameters with `content` are. @default 'form' */
  style?: string;
  /** @default true for the style `form` */
  explode?: boolean;
}

const separators: Record<string, string> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  ssv: ' ',
  tsv: '\t',
  pipes: '|',
};

/** Returns a parameter of the query as pairs, by its style. */
export function toParameterPairs(
  name: string,
  value: JsonValue,
  { style = 'form', explode: explodes = style === 'form' }: ParameterStyle,
): [name: string, value: string][] {
  if (style === 'json') return [[name, JSON.stringify(value)]];
  const separator = separators[style] ?? ',';
  if (Array.isArray(value)) {
    if (style === 'deepObject') return value.map((item) => [`${name}[]`, toListText(item)]);
    if (explodes) return value.map((item) => [name, toListText(item)]);
    return [[name, value.map(toListText).join(separator)]];
  }
  if (!isJsonObject(value)) return [[name, toListText(value)]];
  if (style === 'deepObject') return toDeepPairs(name, value);
  const fields = Object.entries(value).map(([key, field]): [string, string] => [key, toListText(field)]);
  return explodes ? fields : [[name, fields.flat().join(separator)]];
}

/** The style `deepObject` is defined for one level; deeper ones and lists are written as most servers read them. */
function toDeepPairs(name: string, value: JsonValue): [string, string][] {
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, field]) => toDeepPairs(`${name}[${key}]`, field));
  if (Array.isArray(value)) return value.flatMap((item) => toDeepPairs(`${name}[]`, item));
  return [[name, toListText(value)]];
}

/** Joins a list with commas, and writes everything else that is no text as JSON. */
export function toListText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(toListText).join(',') : JSON.stringify(value);
}
