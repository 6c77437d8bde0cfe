import type { BuiltInFunction } from './built-in-function.ts';
import { calculate } from './functions/calculate.ts';
import { currentTime } from './functions/current-time.ts';
import { httpRequest } from './functions/http-request.ts';

/** The functions that Holdfast brings along, by name. */
export const builtInFunctions: Readonly<Record<string, BuiltInFunction>> = {
  [currentTime.name]: currentTime,
  [calculate.name]: calculate,
  [httpRequest.name]: httpRequest,
};

/** The built-in function of a name, if there is one. */
export function findBuiltInFunction(name: string): BuiltInFunction | undefined {
  return Object.hasOwn(builtInFunctions, name) ? builtInFunctions[name] : undefined;
}
