import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Agent } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './agents.module.css';
import { DeleteAgent } from './delete-agent.tsx';
import { agentQuery, toolStatesQuery } from './queries.ts';
import { agentTabs, parseAgentSearch } from './search.ts';

const ConfigurationTab = lazy(() =>
  import('./configuration-tab.tsx').then((module) => ({ default: module.ConfigurationTab })),
);
const ToolsTab = lazy(() => import('./tools-tab.tsx').then((module) => ({ default: module.ToolsTab })));
const VersionsTab = lazy(() =>
  import('./versions-tab.tsx').then((module) => ({ default: module.VersionsTab })),
);

const tabNames = { configuration: 'Configuration', tools: 'Tools', versions: 'Versions' };

/** One agent: what it is told and may do, its tools, and its versions. */
export function Page() {
  const agentId = useParameter('agentId');
  const search = useSearchOf(parseAgentSearch);
  const { data: agent, error } = useQuery(agentQuery(agentId));
  return (
    <Frame
      title={agent?.name ?? 'Agent'}
      fills={search.tab !== 'configuration'}
      meta={agent && <Meta agent={agent} />}
      actions={agent && <Actions agent={agent} />}
      bar={
        <Tabs
          label="Views"
          name="tab"
          value={search.tab}
          tabs={agentTabs.map((value) => ({ value, text: tabNames[value] }))}
        />
      }
    >
      <Problem error={error} />
      {agent && (
        <Suspense fallback={null}>
          {search.tab === 'configuration' && <ConfigurationTab agent={agent} />}
          {search.tab === 'tools' && <ToolsTab agent={agent} toolId={search.tool} />}
          {search.tab === 'versions' && <VersionsTab agent={agent} search={search} />}
        </Suspense>
      )}
    </Frame>
  );
}

function Meta({ agent }: { agent: Agent }) {
  const { version, updatedAt, model, project } = agent;
  const { data: tools } = useQuery(toolStatesQuery(agent));
  const quarantined = tools?.filter(({ state }) => state.status === 'quarantined').length ?? 0;
  return (
    <>
      <span>version {version}</span>
      <span>
        updated <Time at={updatedAt} />
      </span>
      <span>{model}</span>
      {project !== null && <span>pushed by the project {project}</span>}
      {quarantined > 0 && (
        <Link to="." search={{ tab: 'tools' }}>
          <Status
            status="quarantined"
            text={quarantined === 1 ? '1 tool is quarantined' : `${quarantined} tools are quarantined`}
          />
        </Link>
      )}
    </>
  );
}

function Actions({ agent }: { agent: Agent }) {
  const may = useMay();
  return (
    <>
      <Copy text={agent.id}>Copy the id</Copy>
      {may('conversations:write') && (
        <Link to="/playground" search={{ agent: agent.id }} className={styles.link}>
          Open in playground
        </Link>
      )}
      {may('agents:write') && <DeleteAgent agent={agent} />}
    </>
  );
}
