import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Agent } from '../../api/types.ts';
import { useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { formatCount } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './agents.module.css';
import { DeletedAgents } from './deleted-agents.tsx';
import { agentsQuery, allAgentsQuery, modelsQuery } from './queries.ts';
import { parseAgentsSearch, type AgentsSearch } from './search.ts';

/** The list of agents, those in use or those that were deleted. */
export function Page() {
  const search = useSearchOf(parseAgentsSearch);
  const may = useMay();
  const canWrite = may('agents:write');
  return (
    <Frame
      title="Agents"
      fills
      actions={canWrite ? <NewAgentButton /> : undefined}
      bar={<Filters search={search} />}
    >
      {search.state === 'deleted' && may('resources:read') ? (
        <DeletedAgents search={search.search ?? ''} />
      ) : (
        <AgentsInUse search={search.search ?? ''} canWrite={canWrite} />
      )}
    </Frame>
  );
}

function AgentsInUse({ search, canWrite }: { search: string; canWrite: boolean }) {
  const { agents, error, loadMore, isLoading } = useAgents(search);
  const withoutKey = useModelsWithoutKey();
  return (
    <>
      <Problem error={error} />
      <List
        label="Agents"
        items={agents}
        toKey={({ id }) => id}
        columns={[...columns, toStateColumn(withoutKey), updatedColumn]}
        loadMore={loadMore}
        isLoading={isLoading}
        empty={search === '' ? <NoAgents canWrite={canWrite} /> : <Empty title="No agent fits" />}
      />
    </>
  );
}

/** The agents in whose name, model, tools or project a text is. Without a text they are read as a person scrolls. */
function useAgents(search: string) {
  const wanted = search.trim().toLowerCase();
  const pages = useInfiniteQuery({ ...agentsQuery, enabled: wanted === '' });
  const all = useQuery({ ...allAgentsQuery, enabled: wanted !== '' });
  if (wanted === '')
    return {
      agents: pages.data?.pages.flatMap(({ items }) => items) ?? [],
      error: pages.error,
      loadMore: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
      isLoading: pages.isFetching,
    };
  const toText = ({ name, model, tools, project }: Agent) =>
    [name, model, project ?? '', ...tools.map((tool) => tool.name)].join('\n').toLowerCase();
  return {
    agents: all.data?.filter((agent) => toText(agent).includes(wanted)) ?? [],
    error: all.error,
    loadMore: undefined,
    isLoading: all.isPending,
  };
}

const states = [
  { value: '', text: 'In use' },
  { value: 'deleted', text: 'Deleted' },
] as const;

function Filters({ search: { search = '', state } }: { search: AgentsSearch }) {
  const navigate = useNavigate();
  const set = (next: AgentsSearch) => void navigate({ to: '/agents', search: { ...next }, replace: true });
  const kept = { ...(state ? { state } : {}) };
  return (
    <>
      <div className={styles.search}>
        <Field
          label="Search names, models, tools"
          type="search"
          value={search}
          onChange={(text) => set(text === '' ? kept : { ...kept, search: text })}
        />
      </div>
      {useMay()('resources:read') && (
        <Choice
          label="Show"
          value={state ?? ''}
          options={states}
          onChange={(next) =>
            set({ ...(search === '' ? {} : { search }), ...(next === '' ? {} : { state: next }) })
          }
        />
      )}
    </>
  );
}

function NewAgentButton() {
  const navigate = useNavigate();
  return (
    <Button kind="main" onPress={() => void navigate({ to: '/agents/new' })}>
      New agent …
    </Button>
  );
}

function NoAgents({ canWrite }: { canWrite: boolean }) {
  return (
    <Empty
      title="There is no agent yet"
      text="An agent has instructions, a model, and tools that it may call."
      action={canWrite ? <NewAgentButton /> : undefined}
    />
  );
}

/** The names of the models of which the operator has no key. */
function useModelsWithoutKey(): ReadonlySet<string> {
  const { data } = useQuery(modelsQuery);
  return new Set(data?.models.flatMap(({ name, configured }) => (configured ? [] : [name])));
}

const columns: readonly Column<Agent>[] = [
  {
    name: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ id, name }) => (
      <Link to="/agents/$agentId" params={{ agentId: id }} className={styles.name}>
        {name}
      </Link>
    ),
  },
  {
    name: 'Model',
    width: 'minmax(0, 2fr)',
    isWide: true,
    cell: ({ model, fallbackModels }) =>
      [model, ...fallbackModels.map((fallback) => fallback.model)].join(', then '),
  },
  { name: 'Tools', width: 'minmax(0, 2fr)', isWide: true, cell: ({ tools }) => <Tools tools={tools} /> },
  { name: 'Version', width: '56px', isNumber: true, cell: ({ version }) => formatCount(version) },
  {
    name: 'Code',
    width: '110px',
    isWide: true,
    cell: ({ project }) => project !== null && <span title="The project that has pushed it">{project}</span>,
  },
];

const toStateColumn = (withoutKey: ReadonlySet<string>): Column<Agent> => ({
  name: 'State',
  width: '150px',
  isWide: true,
  cell: ({ model, modelConnectionId }) =>
    modelConnectionId === null && withoutKey.has(model) ? (
      <Status status="waiting" text="model without a key" />
    ) : (
      <Status status="ready" />
    ),
});

const updatedColumn: Column<Agent> = {
  ...{ name: 'Updated', width: '92px', isNumber: true },
  cell: ({ updatedAt }) => <Time at={updatedAt} />,
};

function Tools({ tools }: Pick<Agent, 'tools'>) {
  if (tools.length === 0) return <span className={styles.quiet}>none</span>;
  return (
    <>
      {tools.length} <span className={styles.quiet}>{tools.map(({ name }) => name).join(', ')}</span>
    </>
  );
}
