import type { FieldError } from '../../../domain/errors.ts';
import type { ImportOptions } from '../provider-import.ts';
import type { ToolEffect } from '../../../domain/tool.ts';
import type { ListedOperation } from './list-operations.ts';

/** The maximum number of operations of one import. */
const mostOperations = 2_000;

/** Fields of the request of an import that do not fit its document. */
export class ImportInputError extends Error {
  readonly fields: FieldError[];

  constructor(fields: FieldError[]) {
    super('The request does not fit the document.');
    this.fields = fields;
  }
}

/** Finds the operations that an import names. @throws ImportInputError */
export function chooseOperations(
  all: readonly ListedOperation[],
  { operations = [], tags = [] }: Pick<ImportOptions, 'operations' | 'tags'>,
): ListedOperation[] {
  const problems: FieldError[] = [];
  const chosen = new Set<ListedOperation>();
  const isAll = operations.length === 0 && tags.length === 0;
  const names = new Map(all.flatMap((one) => listNames(one).map((name) => [name, one])));
  for (const [index, name] of operations.entries()) {
    const found = names.get(name);
    if (found) chosen.add(found);
    else problems.push({ field: `operations.${index}`, message: `the document has no operation "${name}"` });
  }
  for (const [index, tag] of tags.entries()) {
    const found = all.filter((one) => one.tags.includes(tag));
    for (const one of found) chosen.add(one);
    if (found.length === 0)
      problems.push({ field: `tags.${index}`, message: `no operation of the document has the tag "${tag}"` });
  }
  const list = isAll ? [...all] : all.filter((one) => chosen.has(one));
  if (problems.length === 0 && list.length === 0)
    problems.push({ field: 'document', message: 'expected a document with operations under "paths"' });
  if (list.length > mostOperations) {
    const message = `the document has ${list.length} operations; choose at most ${mostOperations}`;
    problems.push({ field: 'operations', message });
  }
  if (problems.length > 0) throw new ImportInputError(problems);
  return list;
}

function listNames({ name, operationId, method, path }: ListedOperation): string[] {
  return [name, `${method} ${path}`, ...(operationId === null ? [] : [operationId])];
}

/** Returns the effects that an import sets, by the names of the operations. @throws ImportInputError */
export function chooseEffects(
  chosen: readonly ListedOperation[],
  { effects = {} }: Pick<ImportOptions, 'effects'>,
): Map<string, ToolEffect> {
  const names = new Map(chosen.flatMap((one) => listNames(one).map((name) => [name, one.name])));
  const unknown = Object.keys(effects).filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new ImportInputError(
      unknown.map((name) => ({ field: `effects.${name}`, message: 'is no operation that is imported' })),
    );
  return new Map(Object.entries(effects).map(([name, effect]) => [names.get(name) ?? name, effect]));
}
