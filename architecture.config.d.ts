/** A folder of the house and what it may import. */
export interface Room {
  name: string;
  folder: string;
  purpose: string;
  /** Rooms that may be imported as values and types. */
  imports?: string[];
  /** Rooms that may be imported as types only. */
  types?: string[];
  packages?: string[];
  node?: boolean;
  /** Imports what it likes, and is imported by nobody. */
  isRoot?: boolean;
}

export const house: Room[];
