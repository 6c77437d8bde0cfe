/** The views of a knowledge base. */
export const baseViews = ['documents', 'search'] as const;

/** What is shown of a knowledge base. */
export interface BaseSearch {
  view: (typeof baseViews)[number];
  /** The id of the document that is open. */
  document?: string;
  /** What is searched for. */
  query?: string;
}

/** Reads what is shown of a knowledge base from an address. */
export function parseBaseSearch(given: Record<string, unknown>): BaseSearch & Record<string, unknown> {
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? { [name]: value } : {};
  };
  return {
    view: baseViews.find((view) => view === given['view']) ?? 'documents',
    ...text('document'),
    ...text('query'),
  };
}
