import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../ui/facts.tsx';
import { formatCount, formatCredits, formatWeekday } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import type { Day } from './days.ts';
import styles from './home.module.css';
import { costsQuery, type DayCost } from './queries.ts';

/** What the calls of the last days have cost, by day. */
export function CostSection({ days, hidesNothing }: { days: readonly Day[]; hidesNothing: boolean }) {
  // Days that have ended are read once, and today often.
  const before = useQuery({ ...costsQuery(days.slice(0, -1)), staleTime: 3_600_000 });
  const today = useQuery({ ...costsQuery(days.slice(-1)), refetchInterval: 60_000 });
  const costs = [...(before.data ?? []), ...(today.data ?? [])];
  const sum = costs.reduce((total, { credits }) => total + credits, 0);
  const unpriced = costs.reduce((total, cost) => total + cost.unpriced, 0);
  const isKnown = before.isSuccess && today.isSuccess;
  if (sum === 0 && unpriced === 0 && hidesNothing && !before.error && !today.error) return null;
  return (
    <Section title="Cost">
      <Problem error={before.error ?? today.error} />
      {isKnown && (
        <>
          <Facts
            facts={[
              ['Today', formatCredits(today.data[0]?.credits ?? 0)],
              [`Last ${days.length} days`, formatCredits(sum)],
            ]}
          />
          <Bars costs={costs} />
          {unpriced > 0 && (
            <p className={styles.quiet}>
              {unpriced === 1 ? '1 call of a model' : `${formatCount(unpriced)} calls of models`} without a
              price
              {unpriced === 1 ? ' is' : ' are'} not counted.
            </p>
          )}
        </>
      )}
    </Section>
  );
}

/** One line for each day: its name, a bar, and what it cost. */
function Bars({ costs }: { costs: readonly DayCost[] }) {
  const most = Math.max(...costs.map(({ credits }) => credits));
  return (
    <ol className={styles.bars} aria-label="Cost by day">
      {costs.map(({ day: { from }, credits }) => (
        <li key={from} className={styles.bar}>
          <span className={styles.quiet}>{formatWeekday(from)}</span>
          <span className={styles.track} aria-hidden="true">
            {most > 0 && <i style={{ width: `${(credits / most) * 100}%` }} />}
          </span>
          <span className={styles.figure}>{formatCredits(credits)}</span>
        </li>
      ))}
    </ol>
  );
}
