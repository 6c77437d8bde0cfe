import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { findUnknownFields } from '../../../domain/unknown-field.ts';

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

/** Refuses the fields of an object that are not known. */
export function checkFields(
  { refuse }: Pick<Walk, 'refuse'>,
  value: JsonValue | undefined,
  { path, known }: { path: string; known: readonly string[] },
): void {
  for (const { field, message } of findUnknownFields(isJsonObject(value) ? value : {}, known))
    refuse(`${path}/${field}`, message);
}
