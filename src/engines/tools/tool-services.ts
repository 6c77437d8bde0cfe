import { HoldfastError } from '../../domain/errors.ts';

/**
 * The services that core functions call, by name. The file of a function adds the services that it needs by declaration
 * merging, in terms of domain types; `src/main/create-tool-services.ts` builds them for every program that runs
 * functions.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the entries are merged in
export interface ToolServices {}

/** @throws HoldfastError `TOOL_NOT_CONFIGURED` when the program that runs the function has no such service */
export function getToolService<Name extends keyof ToolServices>(
  services: Partial<ToolServices>,
  name: Name,
): NonNullable<ToolServices[Name]> {
  const service = services[name];
  if (service !== undefined) return service;
  throw new HoldfastError('TOOL_NOT_CONFIGURED', `This server has no ${name}.`);
}
