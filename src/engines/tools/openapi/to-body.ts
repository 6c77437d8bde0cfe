import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';
import { toListText } from '../../../platform/lib/parameter-pairs.ts';
import type { OpenApiOperation } from './find-operation.ts';

interface GivenBody {
  /** The parameters that belong to no other place. */
  left: Map<string, JsonValue | undefined>;
  /** The fields of a form, by Swagger 2. */
  form: JsonObject;
}

interface Content {
  headers: Record<string, string>;
  body?: string;
}

const formType = 'application/x-www-form-urlencoded';

/** Returns the body of a request with its type. @throws RoutineError */
export function toBody(operation: OpenApiOperation, { left, form }: GivenBody): Content {
  const { requestBody, parameters, consumes } = operation;
  const named = parameters.find((parameter) => parameter.in === 'body');
  if (Object.keys(form).length > 0) {
    refuseLeft(left);
    return encode(form, consumes.length > 0 ? consumes : [formType]);
  }
  if (!requestBody && !named) {
    refuseLeft(left);
    return { headers: {} };
  }
  const value = findValue(left, named?.name ?? 'body');
  if (value === undefined) {
    if ((requestBody ?? named)?.required === true)
      throw createRoutineError('validation', 'the operation needs a body');
    return { headers: {} };
  }
  const content = requestBody?.content;
  return encode(value, isJsonObject(content) ? Object.keys(content) : consumes);
}

/** The whole body by its name, or the fields of one. */
function findValue(left: GivenBody['left'], name: string): JsonValue | undefined {
  const whole = left.get(name) ?? left.get('body');
  if (whole !== undefined && left.size === 1) return whole;
  return left.size === 0 ? undefined : (Object.fromEntries(left) as JsonObject);
}

function refuseLeft(left: GivenBody['left']): void {
  const [name] = left.keys();
  if (name !== undefined)
    throw createRoutineError('validation', `the operation has no parameter "${name}", and no body`);
}

function encode(value: JsonValue, types: string[]): Content {
  const json = types.find((type) => /[/+]json\b/i.test(type));
  if (json !== undefined || types.length === 0 || types.includes('*/*'))
    return { headers: { 'content-type': json ?? 'application/json' }, body: JSON.stringify(value) };
  if (types.includes(formType) && isJsonObject(value)) {
    const fields = Object.entries(value).map(([name, field]): [string, string] => [
      name,
      toListText(field ?? null),
    ]);
    return { headers: { 'content-type': formType }, body: new URLSearchParams(fields).toString() };
  }
  const [type = ''] = types;
  if (typeof value === 'string' && !type.startsWith('multipart/'))
    return { headers: { 'content-type': type }, body: value };
  throw createRoutineError('configuration', `a body of type "${type}" cannot be made from this value`);
}
