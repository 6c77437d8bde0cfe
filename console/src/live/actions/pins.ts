import type { JsonObject, JsonValue } from '../../api/types.ts';
import { isJsonObject } from '../../ui/json-object.ts';

/** A value of the arguments of a call that later calls may have to have. */
export interface Pin {
  /** The dotted path into the arguments, as the API takes it. */
  path: string;
  value: JsonValue;
}

/** The pins that are offered at most. */
const mostPins = 40;

/** Lists the values of the arguments of a call: those of objects one by one, and lists as a whole. */
export function listPins(values: JsonObject, path = ''): Pin[] {
  return Object.entries(values)
    .flatMap(([name, value]) => {
      const inner = path === '' ? name : `${path}.${name}`;
      const isNested = isJsonObject(value) && Object.keys(value).length > 0;
      return isNested ? listPins(value, inner) : [{ path: inner, value }];
    })
    .slice(0, mostPins);
}
