import type { ToolType } from '../../domain/tool.ts';
import * as records from './tool-types.ts';
import type { ToolTypeRecord } from './tool-type.ts';

// Its own record takes tools type only, and is found by the type of the tool that it is given.
const toolTypeRecords = Object.values(records) as unknown as ToolTypeRecord[];

const recordsByType = new Map(toolTypeRecords.map((record) => [record.type, record]));

/** The records of all types of tool. */
export function listToolTypes(): readonly ToolTypeRecord[] {
  return toolTypeRecords;
}

/** The record of a type; undefined when a stored tool has a type that this program does not know. */
export function findToolType(type: ToolType): ToolTypeRecord | undefined {
  return recordsByType.get(type);
}
