import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { openSession } from '../api/client.ts';
import { forgetAnswers, queryClient, sessionKey } from '../api/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import styles from './sign-in.module.css';

/** The API writes there whether people sign in at an identity provider. */
const hasProvider =
  document.querySelector('meta[name="holdfast-sign-in"]')?.getAttribute('content') === 'openid';

/** The form to sign in with an API key or a user token, or at an identity provider. */
export function SignIn({ problem }: { problem: unknown }) {
  const [key, setKey] = useState('');
  const open = useMutation({
    mutationFn: openSession,
    onSuccess: () => {
      forgetAnswers();
      return queryClient.resetQueries({ queryKey: sessionKey });
    },
  });
  const { mutate } = open;
  useEffect(() => {
    const given = takeKeyFromAddress();
    if (given !== null) mutate(given);
  }, [mutate]);
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

/** Takes the key of a link such as `npm start` prints from the address. A fragment is not sent to any server. */
function takeKeyFromAddress(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key !== null) history.replaceState(null, '', location.pathname + location.search);
  return key;
}
