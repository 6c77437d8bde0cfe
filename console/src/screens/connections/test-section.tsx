import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './connections.module.css';
import { connectionTestQuery } from './queries.ts';

/** Tests a connection with a request to its server, and shows the last result. */
export function TestSection({ connectionId }: { connectionId: string }) {
  const test = useQuery(connectionTestQuery(connectionId));
  return (
    <Section
      title="Test"
      actions={
        <Button isPending={test.isFetching} onPress={() => void test.refetch()}>
          Test it
        </Button>
      }
    >
      <Problem error={test.error} />
      <div role="status" className={styles.result}>
        {test.isFetching && 'Its server is called …'}
        {!test.isFetching && test.data && (
          <>
            <Status status={test.data.ok ? 'succeeded' : 'failed'} />
            <span>{test.data.message}</span>
            <span className={styles.quiet}>{formatDuration(test.data.durationMs)}</span>
            <span className={styles.quiet}>
              <Time at={test.data.at} />
            </span>
          </>
        )}
        {!test.isFetching && !test.data && (
          <span className={styles.quiet}>It was not tested on this page yet.</span>
        )}
      </div>
    </Section>
  );
}
