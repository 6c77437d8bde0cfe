import { useMutation } from '@tanstack/react-query';
import { holdfast } from '../api/client.ts';
import { forgetAnswers, queryClient, sessionKey } from '../api/query-client.ts';
import styles from './account.module.css';
import { useIdentity } from './session.tsx';
import { themes, useTheme } from './theme.ts';

/** Who is signed in, the colours of the page, and the way out. */
export function Account() {
  const { person, reach } = useIdentity();
  const [theme, setTheme] = useTheme();
  const end = useMutation({
    mutationFn: () => holdfast.session.end(),
    onSettled: () => {
      queryClient.setQueryData(sessionKey, null);
      forgetAnswers();
    },
  });
  return (
    <footer className={styles.account}>
      <p className={styles.person} title={person ?? undefined}>
        {person ?? (reach === 'workspace' ? 'The whole workspace' : 'A key')}
      </p>
      <div className={styles.row}>
        <label>
          <span className="visually-hidden">Colours</span>
          <select
            className={styles.theme}
            value={theme}
            onChange={(event) => setTheme(event.target.value as typeof theme)}
          >
            {themes.map((each) => (
              <option key={each} value={each}>
                {each === 'system' ? 'System colours' : each === 'light' ? 'Light' : 'Dark'}
              </option>
            ))}
          </select>
        </label>
        <button type="button" className={styles.end} onClick={() => end.mutate()}>
          Sign out
        </button>
      </div>
    </footer>
  );
}
