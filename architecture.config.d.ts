interface Allowed {
  /** Folders that may be imported as values and types. */
  imports?: string[];
  /** Folders that may be imported as types only. */
  types?: string[];
  packages?: string[];
  node?: boolean;
}

/** A folder that is no module, and what it may import. */
export interface Folder extends Allowed {
  name: string;
  folder: string;
  purpose: string;
  /** Imports anything, and is imported by nobody. */
  isRoot?: boolean;
}

/** A module, and what its files may import besides what each part of a module may. */
export interface ModuleFolder extends Omit<Allowed, 'node'> {
  name: string;
  purpose: string;
  needs?: string[];
  reads?: string[];
}

/** A part of a module, by the suffix of its files. */
export interface Part extends Allowed {
  name: string;
  patterns: string[];
  purpose: string;
  own: string[];
  ownTypes?: string[];
  isInner?: boolean;
  alone?: boolean;
}

export const folders: Folder[];
export const modules: ModuleFolder[];
export const parts: Part[];
