import { isJsonObject, type JsonObject } from '../domain/json.ts';

/** A check of a document: `refuse` notes what cannot be run, by its path. */
export interface Walk {
  refuse: (path: string, message: string) => void;
  use: JsonObject;
  count: number;
}

/** Refuses a name that leads to no component of the document. */
export function checkUse(walk: Walk, kind: string, { name, path }: { name: string; path: string }): void {
  const known = walk.use[kind];
  const isKnown = Array.isArray(known)
    ? known.includes(name)
    : isJsonObject(known) && known[name] !== undefined;
  if (!isKnown) walk.refuse(path, `there is no "${name}" in use.${kind}`);
}
