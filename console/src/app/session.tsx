import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, use, type ReactNode } from 'react';
import { hasCode, holdfast } from '../api/client.ts';
import { sessionKey } from '../api/query-client.ts';
import type { Identity, Scope } from '../api/scope.ts';
import { forgetLinkKey } from './link-key.ts';
import { SignIn } from './sign-in.tsx';

/** Who is signed in; null without a session. */
const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<Identity | null> => {
    try {
      const identity = await holdfast.session.get({ signal });
      forgetLinkKey();
      return identity;
    } catch (error) {
      if (hasCode(error, 'UNAUTHORIZED')) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

const IdentityContext = createContext<Identity | null>(null);

/** Shows the page to those who are signed in, and the form to sign in to all others. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { data: identity, error, isPending } = useQuery(sessionQuery);
  if (isPending) return null;
  if (!identity) return <SignIn problem={error} />;
  // Another person gets a new page: nothing of the one before stays on it.
  const key = `${identity.workspaceId} ${identity.person ?? ''} ${identity.scopes.join()}`;
  return (
    <IdentityContext key={key} value={identity}>
      {children}
    </IdentityContext>
  );
}

/** Who uses the page. */
export function useIdentity(): Identity {
  const identity = use(IdentityContext);
  if (!identity) throw new Error('There is no session around this component.');
  return identity;
}

/** Returns a function that says whether the person may do what needs this scope. */
export function useMay(): (scope: Scope) => boolean {
  const { scopes } = useIdentity();
  return (scope) => scopes.includes(scope);
}
