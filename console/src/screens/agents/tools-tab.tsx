import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Agent, ListAgentToolsResponse } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './agents.module.css';
import { Connectors } from './connectors.tsx';
import { toolStatesQuery } from './queries.ts';
import { isLeftOut, toApprovalText, toPlace, toTypeText } from './tool-texts.ts';

const AddTools = lazy(() => import('./add-tools.tsx').then((module) => ({ default: module.AddTools })));
const ToolDialog = lazy(() => import('./tool-dialog.tsx').then((module) => ({ default: module.ToolDialog })));

type ToolRow = ListAgentToolsResponse[number];

interface ToolsTabProps {
  agent: Agent;
  /** The tool that is open. */
  toolId: string | undefined;
}

/** The tools of an agent, with what each call of them does and whether a person is asked. */
export function ToolsTab({ agent, toolId }: ToolsTabProps) {
  const tools = useQuery(toolStatesQuery(agent));
  const [added, setAdded] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const canWrite = useMay()('agents:write');
  const add = canWrite && (
    <Button
      kind="main"
      onPress={() => {
        setAdded(null);
        setAdding(true);
      }}
    >
      Add tools …
    </Button>
  );
  return (
    <div className={styles.tools}>
      <div className={styles.bar}>
        {add}
        <Connectors agent={agent} />
        <p role="status" className={styles.saved}>
          {added}
        </p>
      </div>
      <Problem error={tools.error} />
      <div className={styles.rest}>
        <List
          label="Tools"
          items={tools.data ?? []}
          toKey={({ tool }) => tool.id}
          columns={[...columns, ...toRuleColumns(agent)]}
          isLoading={tools.isPending}
          empty={
            <Empty
              title="It has no tools yet"
              text="Tools are operations of providers and MCP servers, functions, knowledge bases, workflows and other agents."
            />
          }
        />
      </div>
      <Suspense fallback={null}>
        {toolId !== undefined && <ToolDialog agent={agent} toolId={toolId} />}
        {isAdding && (
          <AddTools
            agent={agent}
            onClose={() => setAdding(false)}
            onAdded={(text) => {
              setAdding(false);
              setAdded(text);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

const columns: readonly Column<ToolRow>[] = [
  {
    name: 'Name',
    width: 'minmax(0, 1.4fr)',
    cell: ({ tool: { id, name } }) => (
      <Link to="." search={{ tab: 'tools', tool: id }} className={styles.name} title={name}>
        <code>{name}</code>
      </Link>
    ),
  },
  {
    name: 'Type',
    width: 'minmax(0, 1fr)',
    isWide: true,
    cell: ({ tool }) => `${toTypeText(tool.type)}${toPlace(tool)}`,
  },
  {
    name: 'Description',
    width: 'minmax(0, 2fr)',
    isWide: true,
    cell: ({ tool: { description } }) => <span className={styles.quiet}>{description}</span>,
  },
  {
    name: 'Effect',
    width: '112px',
    isWide: true,
    cell: ({ tool: { settings } }) =>
      settings?.effect ? toWords(settings.effect) : <span className={styles.quiet}>by default</span>,
  },
];

const toRuleColumns = ({ rules }: Agent): readonly Column<ToolRow>[] => [
  { name: 'Approval', width: '112px', cell: ({ tool }) => toApprovalText(tool, rules) },
  {
    name: 'State',
    width: '104px',
    cell: ({ tool, state: { status } }) => {
      if (status === 'active' && isLeftOut(tool, rules)) return <Status status="off" text="not allowed" />;
      return <Status status={status} {...(status === 'disabled' ? { tone: 'off' as const } : {})} />;
    },
  },
];
