import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReplayReport } from '../../api/replay-report.ts';
import type { Replay } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section, Sections } from '../../ui/section.tsx';
import { CaseList } from './case-list.tsx';
import { DecisionView } from './decision-view.tsx';
import { OrderView } from './order-view.tsx';
import { replayQuery, reportQuery } from './queries.ts';
import { ReplayActions } from './replay-actions.tsx';
import { ReplayMeta, ReplayProgress } from './replay-progress.tsx';
import { ReplayTabs } from './replay-tabs.tsx';
import styles from './replays.module.css';
import { parseReplaySearch, type ReplaySearch } from './search.ts';
import { useProgress } from './use-progress.ts';

/** How often the report of a replay that runs is read, in milliseconds: it is made of all runs each time. */
const reportIntervalMs = 10_000;

/** A replay: what to decide, its figures, and its cases. */
export function Page() {
  const replayId = useParameter('replayId');
  const search = useSearchOf(parseReplaySearch);
  const { data: replay, error } = useQuery(replayQuery(replayId));
  useProgress(replay);
  const canReadTexts = useMay()('conversations:read');
  const settledAt = replay?.settledAt ?? null;
  const report = useQuery({
    ...reportQuery({ id: replayId, settledAt }),
    placeholderData: keepPreviousData,
    enabled: canReadTexts && replay !== undefined && (replay.runs.done > 0 || settledAt !== null),
    refetchInterval: settledAt === null ? reportIntervalMs : false,
  });
  return (
    <Frame
      title={replay?.name ?? 'Replay'}
      fills={search.view === 'cases'}
      meta={replay && <ReplayMeta replay={replay} />}
      actions={replay && <ReplayActions replay={replay} />}
      bar={<ReplayTabs view={search.view} />}
    >
      <Problem error={error ?? report.error} />
      {replay && <View replay={replay} report={report.data} search={search} canReadTexts={canReadTexts} />}
    </Frame>
  );
}

interface ViewProps {
  replay: Replay;
  report: ReplayReport | undefined;
  search: ReplaySearch;
  canReadTexts: boolean;
}

function View({ replay, report, search, canReadTexts }: ViewProps) {
  if (search.view === 'cases' && report) return <CaseList report={report} search={search} />;
  return (
    <Sections>
      {search.view === 'order' && <Order input={replay.input} />}
      {search.view !== 'order' && <ReplayProgress replay={replay} />}
      {search.view === 'decision' && report && <DecisionView report={report} />}
      {search.view !== 'order' && !canReadTexts && (
        <Section title="Report">
          <p className={styles.quiet}>
            The report has texts of conversations. It needs the scope conversations:read.
          </p>
        </Section>
      )}
    </Sections>
  );
}

function Order({ input }: Pick<Replay, 'input'>) {
  return <OrderView input={input} names={useAgentNames()} linksRuns />;
}
