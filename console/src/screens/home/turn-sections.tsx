import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../app/session.tsx';
import { formatCount } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './home.module.css';
import { failedTurnsQuery, openTurnsQuery, unknownCallsQuery } from './queries.ts';
import { TurnsTable } from './turns-table.tsx';

/** The turns that are listed. */
const mostTurns = 8;

interface FailedSectionProps {
  /** Midnight, as ISO 8601. */
  since: string;
  hidesNothing: boolean;
}

/** The turns that have failed since midnight, and calls of tools whose outcome is not known. */
export function FailedSection({ since, hidesNothing }: FailedSectionProps) {
  const may = useMay();
  const failed = useQuery(failedTurnsQuery(since));
  const unknown = useQuery({ ...unknownCallsQuery(since), enabled: may('analytics:read') });
  const { turns = [], isCut = false } = failed.data ?? {};
  const tools = unknown.data ?? [];
  const isNothing = turns.length === 0 && tools.length === 0;
  if (isNothing && hidesNothing && !failed.error) return null;
  const hasMore = turns.length > mostTurns;
  return (
    <Section
      title="Failed today"
      actions={
        hasMore && (
          <Link to="/runs" search={{ outcome: 'failed', from: since }}>
            {`${formatCount(turns.length)}${isCut ? ' and more' : ''} failed`}
          </Link>
        )
      }
    >
      <Problem error={failed.error ?? unknown.error} />
      {turns.length > 0 && <TurnsTable label="Failed runs" turns={turns.slice(0, mostTurns)} />}
      {tools.length > 0 && (
        <ul className={styles.unknown}>
          {tools.map(({ tool, unknown: count }) => (
            <li key={tool}>
              <Link to="/runs" search={{ from: since, ...(tool === null ? {} : { tool }) }}>
                {count === 1 ? '1 call' : `${formatCount(count)} calls`} of {tool}
              </Link>{' '}
              may have taken effect: the outcome is unknown.
            </li>
          ))}
        </ul>
      )}
      {isNothing && failed.isSuccess && <p className={styles.quiet}>Nothing has failed since midnight.</p>}
    </Section>
  );
}

/** The turns that have not ended. */
export function RunningSection({ hidesNothing }: { hidesNothing: boolean }) {
  const { data, error, isSuccess } = useQuery(openTurnsQuery);
  const turns = data?.items ?? [];
  if (turns.length === 0 && hidesNothing && !error) return null;
  const hasMore = turns.length > mostTurns || data?.nextCursor != null;
  return (
    <Section
      title="Runs now"
      actions={
        hasMore && (
          <Link to="/runs" search={{ outcome: 'open' }}>
            All that run
          </Link>
        )
      }
    >
      <Problem error={error} />
      {turns.length > 0 && <TurnsTable label="Runs that are not over" turns={turns.slice(0, mostTurns)} />}
      {turns.length === 0 && isSuccess && <p className={styles.quiet}>Nothing runs now.</p>}
    </Section>
  );
}
