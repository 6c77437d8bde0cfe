import type { ToolType } from '../../domain/tool.ts';
import * as records from './tool-types.ts';
import type { ToolTypeRecord } from './tool-type.ts';

/** Finds the record of a type; undefined when a stored tool has a type that the program does not know. */
export type FindToolType = (type: ToolType) => ToolTypeRecord | undefined;

/** Collects the records of types of tool, by any names. */
export function collectToolTypes(named: object): { types: readonly ToolTypeRecord[]; find: FindToolType } {
  // Its own record takes tools type only, and is found by the type of the tool that it is given.
  const types = Object.values(named) as ToolTypeRecord[];
  const byType = new Map(types.map((record) => [record.type, record]));
  return { types, find: (type) => byType.get(type) };
}

const known = collectToolTypes(records);

/** The records of all types of tool. */
export function listToolTypes(): readonly ToolTypeRecord[] {
  return known.types;
}

/** The record of a type; undefined when a stored tool has a type that this program does not know. */
export const findToolType: FindToolType = known.find;
