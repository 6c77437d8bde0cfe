import { toMessage } from '../api/client.ts';
import styles from './problem.module.css';

/** Shows an error to people, and nothing without one. Screen readers read it when it appears. */
export function Problem({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className={styles.problem}>
      {toMessage(error)}
    </p>
  );
}
