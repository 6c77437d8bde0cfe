import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { OpenApiError } from './openapi-error.ts';

const mostLevels = 200;

/** Aliases of YAML may repeat parts of a document until it has this many times its values. */
const mostGrowth = 10;

/** The limits of a text. */
interface TextLimits {
  /** The most bytes of YAML, which takes longer to read than JSON. @default no limit */
  mostYamlBytes?: number;
}

/**
 * Reads the text of an OpenAPI document, which is JSON or YAML of the core schema.
 * @throws OpenApiError with the line of a wrong character, and for documents that are no objects, nested too deeply, or
 * grow by aliases
 */
export function parseOpenApiText(text: string, { mostYamlBytes = Infinity }: TextLimits = {}): JsonObject {
  const document = parse(text, mostYamlBytes);
  if (!isJsonObject(document)) throw new OpenApiError('it is no object');
  checkShape(document);
  return document;
}

function parse(text: string, mostYamlBytes: number): unknown {
  const isJson = /^\s*[{[]/.test(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isJson && !canBeYaml(text)) throw new OpenApiError(`it is no JSON: ${toMessage(error)}`);
  }
  if (Buffer.byteLength(text) > mostYamlBytes)
    throw new OpenApiError(`as YAML it may have at most ${mostYamlBytes} bytes; write it as JSON`);
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    throw new OpenApiError(`it is neither JSON nor YAML: ${toMessage(error)}`);
  }
}

/** A text in braces may be a flow mapping of YAML, whose names need no quotes. */
function canBeYaml(text: string): boolean {
  return !/^\s*[{[]\s*["{[]/.test(text);
}

function toMessage(error: unknown): string {
  if (error instanceof YAMLException)
    return `${error.reason} (line ${error.mark.line + 1}, column ${error.mark.column + 1})`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Counts the values of a document, each as often as its aliases repeat it, without repeating them.
 * @throws OpenApiError
 */
function checkShape(document: JsonObject): void {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let values = 0;
  const measure = (value: unknown, level: number): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (level > mostLevels) throw new OpenApiError(`it is nested deeper than ${mostLevels} levels`);
    if (open.has(value)) throw new OpenApiError('an alias of it contains itself');
    open.add(value);
    let size = 1;
    for (const part of Object.values(value)) {
      values += 1;
      size += measure(part, level + 1);
    }
    open.delete(value);
    sizes.set(value, size);
    return size;
  };
  if (measure(document, 0) > (values + 1) * mostGrowth)
    throw new OpenApiError(`its aliases repeat it to more than ${mostGrowth} times its size`);
}
