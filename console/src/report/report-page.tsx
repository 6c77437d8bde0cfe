import { Link } from '@tanstack/react-router';
import { useSearchOf } from '../app/address.ts';
import { CaseList } from '../screens/replays/case-list.tsx';
import { DecisionView } from '../screens/replays/decision-view.tsx';
import { OrderView } from '../screens/replays/order-view.tsx';
import { ReplayMeta, ReplayProgress } from '../screens/replays/replay-progress.tsx';
import { ReplayTabs } from '../screens/replays/replay-tabs.tsx';
import { parseReplaySearch, type ReplaySearch } from '../screens/replays/search.ts';
import { Empty } from '../ui/empty.tsx';
import { formatDateTime } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Sections } from '../ui/section.tsx';
import { report } from './given-report.ts';

const { replay } = report;

/** The report: what to decide, its figures, its cases, and what was tried. */
export function ReportPage() {
  const search = useSearchOf(parseReplaySearch);
  return (
    <Page
      title={replay.name}
      fills={search.view === 'cases'}
      meta={
        <>
          <ReplayMeta replay={replay} started={`started ${formatDateTime(replay.createdAt)}`} />
          <span>{replay.id}</span>
        </>
      }
      bar={<ReplayTabs view={search.view} />}
    >
      <View search={search} />
    </Page>
  );
}

function View({ search }: { search: ReplaySearch }) {
  if (search.view === 'cases') return <CaseList report={report} search={search} />;
  return (
    <Sections>
      {search.view === 'order' ? (
        <OrderView input={replay.input} />
      ) : (
        <>
          <ReplayProgress replay={replay} />
          <DecisionView report={report} />
        </>
      )}
    </Sections>
  );
}

/** Stands where the report has nothing. */
export function Absent() {
  return (
    <Empty
      title="The report has nothing at this address"
      text={report.casesLeftOut > 0 ? 'It has the cases that changed most.' : undefined}
      action={
        <Link to="/replays/$replayId" params={{ replayId: replay.id }}>
          Go to the decision
        </Link>
      }
    />
  );
}
