import { isDeepStrictEqual } from 'node:util';
import { isInHost, listUrlVariables } from '../../../domain/url-variables.ts';
import type { ImportedDefinition } from '../../../engines/providers/imported-definition.ts';

/** The operations that differ between two versions of an imported provider, and the addresses that are new. */
export interface DefinitionChanges {
  added: string[];
  removed: string[];
  /** The operations whose request, input or effect differ. */
  changed: string[];
  /** Addresses that get credentials of connections, and did not before. */
  newAddresses: string[];
}

/** Compares two versions of a provider, both JSON. */
export function compareDefinitions(before: string, after: string): DefinitionChanges {
  const old = JSON.parse(before) as ImportedDefinition;
  const next = JSON.parse(after) as ImportedDefinition;
  const names = Object.keys(next.operations);
  const known = new Set(listAddresses(old));
  return {
    added: names.filter((name) => !Object.hasOwn(old.operations, name)),
    removed: Object.keys(old.operations).filter((name) => !Object.hasOwn(next.operations, name)),
    changed: names.filter(
      (name) =>
        Object.hasOwn(old.operations, name) &&
        !isDeepStrictEqual(old.operations[name], next.operations[name]),
    ),
    newAddresses: listAddresses(next).filter((address) => !known.has(address)),
  };
}

/**
 * Lists where a definition sends credentials: the origins of its addresses, with the rules of the variables in their hosts,
 * and those of OAuth.
 */
function listAddresses({ baseUrl, variables = {}, operations, auth }: ImportedDefinition): string[] {
  const own = Object.values(operations).flatMap((operation) => operation.baseUrl ?? []);
  const { authorizationUrl, tokenUrl } = auth.oauth ?? {};
  const oauth = [authorizationUrl, tokenUrl].flatMap((url) => url ?? []);
  const addresses = [baseUrl, ...own, ...oauth].map((url) => {
    const origin = /^https?:\/\/[^/?#]*/i.exec(url)?.[0].toLowerCase() ?? url;
    const rules = listUrlVariables(url)
      .filter((name) => isInHost(url, name))
      .map((name) => {
        const { oneOf, default: value, severalLabels } = variables[name] ?? {};
        return `${name}: ${JSON.stringify([oneOf, value, severalLabels])}`;
      });
    return rules.length === 0 ? origin : `${origin} (${rules.join(', ')})`;
  });
  return [...new Set(addresses)];
}
