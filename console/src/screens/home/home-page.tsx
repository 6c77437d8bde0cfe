import { useMemo } from 'react';
import { useMay } from '../../app/session.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { useNow } from '../../ui/time.tsx';
import { CostSection } from './cost-section.tsx';
import { listDays } from './days.ts';
import { FirstSteps, useIsNew } from './first-steps.tsx';
import styles from './home.module.css';
import { FailedSection, RunningSection } from './turn-sections.tsx';
import { WaitingSection } from './waiting-section.tsx';

/** What waits for the person, what failed today, what runs now, and what it cost. */
export function Page() {
  const may = useMay();
  const isNew = useIsNew();
  const days = useDays();
  const since = days.at(-1)?.from ?? '';
  const hidesNothing = isNew === true;
  return (
    <Frame title="Home">
      {isNew !== undefined && (
        <div className={styles.home}>
          <div className={styles.main}>
            {isNew && <FirstSteps />}
            {(may('conversations:read') || may('inbox:read')) && (
              <WaitingSection hidesNothing={hidesNothing} />
            )}
            {may('conversations:read') && (
              <>
                <FailedSection since={since} hidesNothing={hidesNothing} />
                <RunningSection hidesNothing={hidesNothing} />
              </>
            )}
          </div>
          {may('analytics:read') && <CostSection days={days} hidesNothing={hidesNothing} />}
        </div>
      )}
    </Frame>
  );
}

/** The last seven days, today at the end; another day begins while the page is open. */
function useDays() {
  const minute = useNow(60_000);
  const today = new Date(minute).toDateString();
  return useMemo(() => listDays(Date.parse(today), 7), [today]);
}
