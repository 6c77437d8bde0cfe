import { useNavigate } from '@tanstack/react-router';
import { useSearchOf } from '../../app/address.ts';
import { Choice } from '../../ui/choice.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toWords } from '../../ui/tone.ts';
import { DecidedTab } from './decided-tab.tsx';
import { GrantsTab } from './grants-tab.tsx';
import { KeysButton, useKeys } from './keys-button.tsx';
import { approvalTabs, endStatuses, parseApprovalsSearch, type ApprovalsSearch } from './search.ts';
import { WaitingTab } from './waiting-tab.tsx';

const tabNames = { waiting: 'Waiting', decided: 'Decided', remembered: 'Remembered' };

/** What waits for the decision of a person, what was decided, and approvals that are remembered. */
export function Page() {
  const search = useSearchOf(parseApprovalsSearch);
  const [hasKeys, setKeys] = useKeys();
  const { tab, status, over } = search;
  return (
    <Frame
      title="Approvals"
      fills
      actions={tab === 'remembered' ? undefined : <KeysButton hasKeys={hasKeys} onChange={setKeys} />}
      bar={
        <>
          <Tabs
            label="Views"
            name="tab"
            value={tab}
            tabs={approvalTabs.map((value) => ({ value, text: tabNames[value] }))}
          />
          <Filter search={search} />
        </>
      }
    >
      {tab === 'waiting' && <WaitingTab hasKeys={hasKeys} />}
      {tab === 'decided' && <DecidedTab key={status ?? 'any'} status={status} hasKeys={hasKeys} />}
      {tab === 'remembered' && <GrantsTab which={over === 'shown' ? 'all' : 'active'} />}
    </Frame>
  );
}

/** Chooses among what was decided, and among remembered approvals. */
function Filter({ search }: { search: ApprovalsSearch }) {
  const navigate = useNavigate();
  const set = (change: Partial<Record<'status' | 'over' | 'decided', string | undefined>>) =>
    void navigate({ to: '/approvals', search: { ...search, ...change }, replace: true });
  if (search.tab === 'decided')
    return (
      <Choice
        label="How they ended"
        hidesLabel
        value={search.status ?? ''}
        options={[
          { value: '', text: 'Ended in any way' },
          ...endStatuses.map((value) => ({ value, text: toWords(value) })),
        ]}
        onChange={(value) => set({ status: value === '' ? undefined : value, decided: undefined })}
      />
    );
  if (search.tab === 'remembered')
    return (
      <Choice
        label="Which are listed"
        hidesLabel
        value={search.over ?? ''}
        options={[
          { value: '', text: 'Those that hold' },
          { value: 'shown', text: 'Also those that are over' },
        ]}
        onChange={(value) => set({ over: value === '' ? undefined : value })}
      />
    );
  return null;
}
