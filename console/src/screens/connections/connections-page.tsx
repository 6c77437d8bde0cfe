import { useNavigate } from '@tanstack/react-router';
import { useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ConnectionsTab } from './connections-tab.tsx';
import { ConnectorsTab } from './connectors-tab.tsx';
import { NewConnectorButton } from './new-connector.tsx';
import { ProviderFilters, ProvidersTab } from './providers-tab.tsx';
import { connectionTabs, parseConnectionsSearch } from './search.ts';

const tabNames = { connections: 'Connections', connectors: 'Connectors', providers: 'Providers' };

/** The connections of the workspace, its connectors, and the providers that it can connect to. */
export function Page() {
  const search = useSearchOf(parseConnectionsSearch);
  return (
    <Frame
      title="Connections"
      fills
      actions={useMay()('connections:write') ? <Actions tab={search.tab} /> : undefined}
      bar={
        <>
          <Tabs
            label="Views"
            name="tab"
            value={search.tab}
            tabs={connectionTabs.map((value) => ({ value, text: tabNames[value] }))}
          />
          {search.tab === 'providers' && <ProviderFilters search={search} />}
        </>
      }
    >
      {search.tab === 'connections' && <ConnectionsTab />}
      {search.tab === 'connectors' && <ConnectorsTab />}
      {search.tab === 'providers' && <ProvidersTab search={search} />}
    </Frame>
  );
}

function Actions({ tab }: { tab: (typeof connectionTabs)[number] }) {
  const navigate = useNavigate();
  if (tab === 'connectors') return <NewConnectorButton />;
  if (tab === 'providers')
    return (
      <Button kind="main" onPress={() => void navigate({ to: '/connections/import' })}>
        Import an API …
      </Button>
    );
  return (
    <Button kind="main" onPress={() => void navigate({ to: '/connections/new' })}>
      New connection …
    </Button>
  );
}
