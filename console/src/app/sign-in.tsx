import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { openSession, readWorkspaceOf } from '../api/client.ts';
import { forgetAnswers, queryClient, sessionKey } from '../api/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { readLinkKey } from './link-key.ts';
import styles from './sign-in.module.css';

/** The API writes there whether people sign in at an identity provider. */
const hasProvider =
  document.querySelector('meta[name="holdfast-sign-in"]')?.getAttribute('content') === 'openid';

/** The form to sign in with an API key or a user token, or at an identity provider. */
export function SignIn({ problem }: { problem: unknown }) {
  const [linkKey] = useState(readLinkKey);
  const [key, setKey] = useState(linkKey ?? '');
  const open = useMutation({
    mutationFn: openSession,
    onSuccess: () => {
      forgetAnswers();
      return queryClient.resetQueries({ queryKey: sessionKey });
    },
  });
  const { mutate } = open;
  const returnTo = encodeURIComponent(location.pathname + location.search);
  return (
    <main className={styles.page}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          mutate(key.trim());
        }}
      >
        <h1 className={styles.title}>Holdfast</h1>
        {hasProvider && (
          <a className={styles.provider} href={`/api/login?returnTo=${returnTo}`}>
            Sign in with your organisation
          </a>
        )}
        {linkKey !== null && key === linkKey && <LinkQuestion apiKey={linkKey} />}
        <Field
          label="API key or user token"
          type="password"
          autoComplete="off"
          value={key}
          onChange={setKey}
          hint="The page keeps a session of the server, not the key."
        />
        <Problem error={open.error ?? problem} />
        <Button kind="main" type="submit" isPending={open.isPending} isDisabled={key.trim() === ''}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

/** Any site can have a link with a key, so that the person decides whether to use it. */
function LinkQuestion({ apiKey }: { apiKey: string }) {
  const { data: name } = useQuery({
    queryKey: ['workspace of a link'],
    queryFn: ({ signal }) => readWorkspaceOf(apiKey, signal),
  });
  return (
    <p role="status">
      The link that you opened has a key{name !== undefined && ` of the workspace “${name}”`}. Sign in with it
      only if you know where the link is from.
    </p>
  );
}
