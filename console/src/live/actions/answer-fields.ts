import type { JsonObject, JsonValue } from '../../api/types.ts';
import { isJsonObject } from '../../ui/json-object.ts';
import { parseJson } from '../../ui/parse-json.ts';

/** A field of the answer to a question whose schema is an object. */
export interface AnswerField {
  name: string;
  label: string;
  hint: string | undefined;
  kind: 'text' | 'number' | 'choice' | 'json';
  /** The values of a choice, as JSON. */
  options: readonly { value: string; text: string }[];
  isRequired: boolean;
  /** What stands in the field at first. */
  initial: string;
}

/** Returns the fields of the answer to a question; none when its schema is not that of an object. */
export function toAnswerFields(schema: JsonObject | null): AnswerField[] {
  const properties = schema?.['properties'];
  if (!isJsonObject(properties)) return [];
  const required = schema?.['required'];
  return Object.entries(properties).map(([name, property]) =>
    toField(name, isJsonObject(property) ? property : {}, Array.isArray(required) && required.includes(name)),
  );
}

function toField(name: string, property: JsonObject, isRequired: boolean): AnswerField {
  const { title, description, default: preset } = property;
  const options = toOptions(property);
  const kind = options.length > 0 ? 'choice' : toKind(property['type']);
  const isText = kind === 'text' && typeof preset === 'string';
  return {
    ...{ name, kind, options, isRequired },
    label: typeof title === 'string' ? title : name,
    hint: typeof description === 'string' ? description : undefined,
    initial: preset === undefined ? '' : isText ? preset : JSON.stringify(preset),
  };
}

function toKind(type: JsonValue | undefined): AnswerField['kind'] {
  if (type === 'string') return 'text';
  return type === 'number' || type === 'integer' ? 'number' : 'json';
}

/** The values of `enum` with the names that MCP servers give them, or those of `oneOf`. */
function toOptions({ enum: values, enumNames, oneOf, type }: JsonObject): AnswerField['options'] {
  if (type === 'boolean') return booleans;
  if (Array.isArray(values)) {
    const names = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value, index) => toOption(value, names[index]));
  }
  if (!Array.isArray(oneOf)) return [];
  const constants = oneOf.flatMap((one) => (isJsonObject(one) && one['const'] !== undefined ? [one] : []));
  return constants.length < oneOf.length
    ? []
    : constants.map(({ const: value, title }) => toOption(value ?? null, title));
}

const booleans = [toOption(true, 'Yes'), toOption(false, 'No')];

function toOption(value: JsonValue, name: JsonValue | undefined) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { value: JSON.stringify(value), text: typeof name === 'string' ? name : text };
}

/** Returns the answer with these texts; fields that are empty are left out. */
export function toAnswer(
  fields: readonly AnswerField[],
  texts: Readonly<Record<string, string>>,
): JsonObject {
  const entries = fields.flatMap(({ name, kind }): [string, JsonValue][] => {
    const text = texts[name] ?? '';
    if (text === '') return [];
    // A text that is no number or no JSON is sent as it is: the API says what it expects.
    return [[name, kind === 'text' ? text : (parseJson(text) ?? text)]];
  });
  return Object.fromEntries(entries);
}

/** Returns the answer to a question without fields: a text, or JSON when the schema asks for another type. */
export function toPlainAnswer(text: string, schema: JsonObject | null): JsonValue {
  const type = schema?.['type'];
  return type === undefined || type === 'string' ? text : (parseJson(text) ?? text);
}
