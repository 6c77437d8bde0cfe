import { Link } from '@tanstack/react-router';
import styles from './audit.module.css';
import type { AuditSearch } from './search.ts';

/** Leads to the events with the same value; a person takes the place of an API key, and the other way around. */
export function Only({ filter, text }: { filter: AuditSearch; text: string }) {
  const isActor = filter.person !== undefined || filter.apiKeyId !== undefined;
  const replaced = isActor ? { person: undefined, apiKeyId: undefined } : {};
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, ...replaced, ...filter })}
      title="Show only such events"
      className={styles.only}
    >
      {text}
    </Link>
  );
}
