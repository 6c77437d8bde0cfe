import { Tabs } from '../../ui/tabs.tsx';
import { replayViews, type ReplaySearch } from './search.ts';

const viewNames = { decision: 'Decision', cases: 'Cases', order: 'What was tried' };

/** The views of a replay. */
export function ReplayTabs({ view }: Pick<ReplaySearch, 'view'>) {
  return (
    <Tabs
      label="Views"
      name="view"
      value={view}
      tabs={replayViews.map((value) => ({ value, text: viewNames[value] }))}
    />
  );
}
