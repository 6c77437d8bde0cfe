import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAgentNames } from '../../live/names.ts';
import { Bar } from '../../ui/bar.tsx';
import { formatCount, formatCredits } from '../../ui/format.ts';
import type { Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import type { Figures } from './figures.ts';
import { figuresQuery, type Counted } from './queries.ts';
import styles from './usage.module.css';

/** The figures of each agent. */
export function AgentSection({ counted }: { counted: Counted }) {
  const names = useAgentNames();
  const { data, error } = useQuery(figuresQuery('agent', counted));
  return (
    <Section title="By agent">
      <Problem error={error} />
      {data && (
        <GroupTable
          label="Figures of each agent"
          name="Agent"
          figures={data}
          toName={(id) => (id === null ? 'None' : <Narrow agentId={id}>{names?.get(id) ?? id}</Narrow>)}
          toText={(id) => names?.get(id ?? '') ?? id ?? 'No agent'}
        />
      )}
    </Section>
  );
}

/** The figures of each person for whom turns were started. */
export function PersonSection({ counted }: { counted: Counted }) {
  const { data, error } = useQuery(figuresQuery('person', counted));
  return (
    <Section title="By person">
      <Problem error={error} />
      {data && (
        <GroupTable
          label="Figures of each person"
          name="Person"
          figures={data}
          toName={(person) =>
            person === null ? 'For no one by name' : <Narrow person={person}>{person}</Narrow>
          }
          toText={(person) => person ?? 'For no one by name'}
        />
      )}
    </Section>
  );
}

/** Shows one agent or one person alone. */
function Narrow({ children, ...choice }: { children: ReactNode; agentId?: string; person?: string }) {
  return (
    <Link to="." search={(before: object) => ({ ...before, ...choice })} className={styles.name}>
      {children}
    </Link>
  );
}

interface GroupTableProps {
  label: string;
  name: string;
  figures: readonly Figures[];
  toName: (key: string | null) => ReactNode;
  toText: (key: string | null) => string;
}

/** How many groups are shown. */
const mostShown = 50;

function GroupTable({ label, name, figures, toName, toText }: GroupTableProps) {
  const most = Math.max(...figures.map(({ credits }) => credits));
  const columns: Column<Figures>[] = [
    { name, width: '', cell: ({ key }) => toName(key) },
    {
      name: 'Cost',
      width: '',
      cell: ({ key, credits }) => (
        <Bar label={`Cost of ${toText(key)}`} value={credits} most={most} text={formatCredits(credits)} />
      ),
    },
    ...numbers,
  ];
  const more = figures.length - mostShown;
  return (
    <>
      <Table
        label={label}
        items={figures.slice(0, mostShown)}
        toKey={({ key }) => key ?? ''}
        columns={columns}
        empty="Nothing ran in these days."
      />
      {more > 0 && <p className={styles.quiet}>{formatCount(more)} more that cost less are not shown.</p>}
    </>
  );
}

const number = { width: '', isNumber: true };

const numbers: Column<Figures>[] = [
  { name: 'Tokens in', ...number, isWide: true, cell: ({ inputTokens }) => formatCount(inputTokens) },
  { name: 'Tokens out', ...number, isWide: true, cell: ({ outputTokens }) => formatCount(outputTokens) },
  { name: 'Turns', ...number, cell: ({ turns }) => formatCount(turns) },
  { name: 'Failed', ...number, isWide: true, cell: ({ failed }) => formatCount(failed) },
];
