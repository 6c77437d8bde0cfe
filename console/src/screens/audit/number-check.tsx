import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Part } from '../../ui/split.tsx';
import { Status } from '../../ui/status.tsx';
import styles from './audit.module.css';
import { checkNumbers, type NumberReport } from './check-numbers.ts';

/** Checks that no event of the log is missing: their numbers begin at 1 and have no gap. */
export function NumberCheck() {
  const [read, setRead] = useState(0);
  const closing = useRef<AbortController>(null);
  useEffect(() => () => closing.current?.abort(), []);
  const check = useMutation({
    mutationFn: () => {
      closing.current = new AbortController();
      return checkNumbers({ signal: closing.current.signal, onProgress: setRead });
    },
  });
  return (
    <Part title="The log" level={2}>
      <div className={styles.check}>
        <Button isPending={check.isPending} onPress={() => check.mutate()}>
          Check that none is missing
        </Button>
        <div role="status">
          {check.isPending && <span>{formatCount(read)} events read</span>}
          {check.data && <Found report={check.data} />}
        </div>
        <Problem error={check.error} />
        <p className={styles.quiet}>
          Numbers show gaps. Whether an event was changed, or the newest ones are gone, is checked on the
          server by <code>npx holdfast audit verify</code>.
        </p>
      </div>
    </Part>
  );
}

/** The most gaps that are named. */
const mostGaps = 10;

function Found({ report: { events, gaps } }: { report: NumberReport }) {
  if (events === 0) return <span>There is no event yet.</span>;
  if (gaps.length === 0)
    return <Status status="succeeded" text={`All ${formatCount(events)} events are there: no gap`} />;
  const named = gaps.slice(0, mostGaps).map(toText).join(', ');
  const more = gaps.length - mostGaps;
  return (
    <>
      <Status status="failed" text="Events are missing" />
      <span className={styles.gaps}>
        {named}
        {more > 0 && ` and ${formatCount(more)} more gaps`}
      </span>
    </>
  );
}

function toText([first, last]: NumberReport['gaps'][number]): string {
  return first === last ? formatCount(first) : `${formatCount(first)} to ${formatCount(last)}`;
}
