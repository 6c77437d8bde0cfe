import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode } from './client.ts';

/** The key of the query of who is signed in. */
export const sessionKey = ['session'] as const;

/** The cache of all requests of the page. A request that is refused for want of a session ends the session here too. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  mutationCache: new MutationCache({ onError: endSession }),
  // The client repeats requests by itself.
  defaultOptions: { queries: { retry: false, staleTime: 2_000 }, mutations: { retry: false } },
});

/** Drops everything that was read: the next person must not see what the one before has seen. */
export function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/**
 * Forgets a thing that was deleted, and reads the lists of its nouns anew. A page that shows the thing until it closes does not
 * read it again, which would fail.
 */
export async function forgetDeleted(id: string, nouns: readonly string[]): Promise<void> {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(id), type: 'inactive' });
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => nouns.includes(String(queryKey[0])) && !queryKey.includes(id),
  });
}

function endSession(error: unknown): void {
  if (hasCode(error, 'UNAUTHORIZED')) queryClient.setQueryData(sessionKey, null);
}
