import type { ListProvidersData } from '../../api/types.ts';

/** A group of the catalogue of providers. */
export type Category = NonNullable<NonNullable<ListProvidersData['query']>['category']>;

/** The views of the first page. */
export const connectionTabs = ['connections', 'connectors', 'providers'] as const;

/** What the first page shows. */
export interface ConnectionsSearch {
  tab: (typeof connectionTabs)[number];
  /** The text that chooses among the providers. */
  search?: string;
  category?: Category;
}

const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads what the first page shows from an address. */
export function parseConnectionsSearch(
  given: Record<string, unknown>,
): ConnectionsSearch & Record<string, unknown> {
  const search = toText(given['search']);
  const category = toText(given['category']) as Category | undefined;
  return {
    tab: connectionTabs.find((tab) => tab === given['tab']) ?? 'connections',
    ...(search === undefined ? {} : { search }),
    ...(category === undefined ? {} : { category }),
  };
}

/** What a new connection can lead to. */
export const targetKinds = ['catalogue', 'mcp', 'model', 'http'] as const;

/** What a new connection leads to. */
export interface NewSearch {
  kind: (typeof targetKinds)[number];
  /** The name of a provider of the catalogue, or of a vendor of models. */
  provider?: string;
}

/** Reads what a new connection leads to from an address. */
export function parseNewSearch(given: Record<string, unknown>): NewSearch & Record<string, unknown> {
  const provider = toText(given['provider']);
  return {
    kind: targetKinds.find((kind) => kind === given['kind']) ?? 'catalogue',
    ...(provider === undefined ? {} : { provider }),
  };
}

/** How a browser came back from a consent: in the window that was opened for it, or in the page itself. */
export interface ConnectionSearch {
  consent?: 'window' | 'page';
}

/** Reads from an address how a browser came back from a consent. */
export function parseConnectionSearch(
  given: Record<string, unknown>,
): ConnectionSearch & Record<string, unknown> {
  const consent = given['consent'];
  return consent === 'window' || consent === 'page' ? { consent } : {};
}

/** Reads the name of the provider of which an import makes the next version from an address. */
export function parseImportSearch(given: Record<string, unknown>): { name?: string } {
  const name = toText(given['name']);
  return name === undefined ? {} : { name };
}
