import { HoldfastError } from '../../../domain/errors.ts';
import type { FunctionCatalogue, FunctionListing } from '../../../domain/function.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { ToolEffect, ToolInputOf } from '../../../domain/tool.ts';
import type { ToolFunction } from './tool-function.ts';
import { createBuiltInFunctions, type FunctionBackEnds } from './built-in-functions.ts';

/** All functions by name: those that Holdfast brings along and those of its operator. */
export interface FunctionRegistry extends FunctionCatalogue {
  find: (name: string) => ToolFunction | undefined;
  /**
   * Replaces the operator's functions. Calls that run continue with the old ones.
   * @throws HoldfastError `INVALID_INPUT` when one has the name of a built-in function; the old ones stay then
   */
  replaceOwn: (own: readonly ToolFunction[]) => void;
}

/** The functions of one moment. */
type NamedFunctions = Omit<FunctionRegistry, 'replaceOwn'>;

interface RegistryParts {
  /** The services that the built-in functions use; without them those functions answer that they cannot run. */
  backEnds?: FunctionBackEnds;
  /** The operator's functions. */
  own?: readonly ToolFunction[];
}

/** Whether the program of the caller executes the calls of a tool. */
export function runsAtClient({ config }: Pick<ToolInputOf<'function'>, 'config'>): boolean {
  return config.runs === 'client';
}

/** The function that a tool leads to; without `functionName` the one of the tool's own name. */
export function functionNameOf(tool: Pick<ToolInputOf<'function'>, 'name' | 'config'>): string {
  return tool.config.functionName ?? tool.name;
}

const builtInNames = new Set(
  createBuiltInFunctions()
    .filter((one) => !one.forRoutines)
    .flatMap(namesOf),
);

/**
 * Checks the names of the operator's functions, before there is a registry.
 * @throws HoldfastError `INVALID_INPUT` when one of them is the name of a built-in function
 */
export function refuseBuiltInNames(own: readonly ToolFunction[]): void {
  for (const { name, source = 'A file' } of own) {
    if (!builtInNames.has(name)) continue;
    const message = `${source} has a function "${name}", which is the name of a built-in one: give it another.`;
    throw new HoldfastError('INVALID_INPUT', message);
  }
}

/**
 * Puts the functions of both origins together.
 * @throws HoldfastError `INVALID_INPUT` when a function of the operator has the name of a built-in one
 */
export function createFunctionRegistry({ backEnds, own = [] }: RegistryParts = {}): FunctionRegistry {
  const builtIn = createBuiltInFunctions(backEnds);
  let present = nameFunctions(builtIn, own);
  return {
    find: (name) => present.find(name),
    describe: (name) => present.describe(name),
    list: () => present.list(),
    replaceOwn: (fresh) => {
      present = nameFunctions(builtIn, fresh);
    },
  };
}

function nameFunctions(builtIn: readonly ToolFunction[], own: readonly ToolFunction[]): NamedFunctions {
  refuseBuiltInNames(own);
  const hidden = new Map(builtIn.filter(isHidden).map((one) => [one.name, one]));
  const offered = builtIn.filter((one) => !isHidden(one));
  const all = [...offered, ...own];
  const listings = all.map((each, index) => toListing(each, index < offered.length ? 'built_in' : 'own'));
  const named = new Map(
    all.flatMap((found, index) => namesOf(found).map((name) => [name, { found, listing: listings[index] }])),
  );
  return {
    find: (name) => named.get(name)?.found ?? hidden.get(name),
    describe: (name) => named.get(name)?.listing,
    list: () => listings,
  };
}

/** Whether no caller can give a function to an agent. */
function isHidden({ forRoutines, isImplied }: ToolFunction): boolean {
  return forRoutines === true || isImplied === true;
}

function namesOf({ name, aliases = [] }: ToolFunction): string[] {
  return [name, ...aliases];
}

/** The effect of a call of a function. */
export function effectOfFunction(
  { effect }: Pick<ToolFunction, 'effect'>,
  toolArguments?: JsonObject,
): ToolEffect {
  return typeof effect === 'function' ? effect(toolArguments) : effect;
}

function toListing(each: ToolFunction, origin: FunctionListing['origin']): FunctionListing {
  const { name, aliases, description, schema } = each;
  const effect = effectOfFunction(each);
  return { name, ...(aliases && { aliases: [...aliases] }), description, schema, effect, origin };
}
