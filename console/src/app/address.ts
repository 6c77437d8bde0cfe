import { useParams, useSearch } from '@tanstack/react-router';

/** The value of a part of the path, such as `turnId` of `/runs/$turnId`; empty where the path has none. */
export function useParameter(name: string): string {
  const parameters = useParams({ strict: false }) as unknown as Record<string, string | undefined>;
  return parameters[name] ?? '';
}

/** The query of the address as a page reads it. */
export function useSearchOf<Search>(parse: (given: Record<string, unknown>) => Search): Search {
  return parse(useSearch({ strict: false }));
}
