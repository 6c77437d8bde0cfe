import type { Database } from '../platform/database/connect-database.ts';
import { createProviderFinder } from '../modules/imports/create-provider-finder.ts';
import { hostedVendors, localVendors } from '../engines/models/vendor-catalogue.ts';
import type { ProviderRef } from '../engines/providers/provider-entry.ts';
import type { ProviderRegistry } from '../engines/providers/registry.ts';

interface LookupOptions {
  database: Pick<Database, 'inWorkspace'>;
  catalogue: ProviderRegistry;
}

/** Builds the finding of providers, and the check of names that connections use for something else. */
export function createProviderLookup({ database, catalogue }: LookupOptions) {
  const isReserved = (name: string) => name === 'mcp' || hostedVendors.has(name) || localVendors.has(name);
  return {
    findProviderEntry: createProviderFinder({ database, catalogue, isReserved }),
    isTakenName: (name: string) => isReserved(name) || catalogue.findEntry(name) !== undefined,
  };
}

/** The functions by which connections find their providers. */
export function toFinders(
  { findProvider }: Pick<ProviderRegistry, 'findProvider'>,
  { findProviderEntry }: Pick<ReturnType<typeof createProviderLookup>, 'findProviderEntry'>,
) {
  const findImported = async (place: ProviderRef) => (await findProviderEntry(place))?.provider;
  return { findProvider, findImported };
}
