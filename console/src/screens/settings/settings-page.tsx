import { useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { KeysTab } from './keys-tab.tsx';
import { NewKeyButton } from './new-key.tsx';
import { PeopleTab } from './people-tab.tsx';
import { RolesTab } from './roles-tab.tsx';
import { parseSettingsSearch, settingsTabs } from './search.ts';
import { NewTokenButton } from './user-tokens.tsx';
import { WorkspaceTab } from './workspace-tab.tsx';
import { YouTab } from './you-tab.tsx';

const tabNames = { you: 'You', keys: 'API keys', people: 'People', roles: 'Roles', workspace: 'Workspace' };

/** Who you are and what you may do, the keys and people of the workspace, and the settings that hold for it. */
export function Page() {
  const search = useSearchOf(parseSettingsSearch);
  const may = useMay();
  const mayManage = may('api_keys:write');
  const mayIssue = may('user_tokens:write');
  const tabs = settingsTabs.filter(
    (tab) => (tab !== 'keys' || mayManage) && (tab !== 'people' || mayManage || mayIssue),
  );
  const tab = tabs.find((one) => one === search.tab) ?? 'you';
  return (
    <Frame
      title="Settings"
      fills={tab === 'keys' || tab === 'people'}
      actions={
        <>
          {tab === 'keys' && <NewKeyButton />}
          {tab === 'people' && mayIssue && <NewTokenButton />}
        </>
      }
      bar={
        <Tabs
          label="Views"
          name="tab"
          value={tab}
          tabs={tabs.map((value) => ({ value, text: tabNames[value] }))}
        />
      }
    >
      {tab === 'you' && <YouTab />}
      {tab === 'keys' && <KeysTab />}
      {tab === 'people' && <PeopleTab />}
      {tab === 'roles' && <RolesTab />}
      {tab === 'workspace' && <WorkspaceTab />}
    </Frame>
  );
}
