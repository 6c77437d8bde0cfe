import { Link } from '@tanstack/react-router';
import type { Turn } from '../../api/types.ts';
import { useAgentNames } from '../../live/names.ts';
import type { Column } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './home.module.css';
import { Moment } from './moment.tsx';

interface TurnsTableProps {
  label: string;
  turns: readonly Turn[];
}

/** Turns with links to their pages: why they failed, or which agent runs. */
export function TurnsTable({ label, turns }: TurnsTableProps) {
  const names = useAgentNames();
  const columns: Column<Turn>[] = [
    { name: 'State', width: '', cell: ({ status }) => <Status status={status} /> },
    {
      name: 'Run',
      width: '',
      cell: ({ id, agentId, error, status }) => (
        <Link to="/runs/$turnId" params={{ turnId: id }} className={styles.text}>
          {error?.message ?? names?.get(agentId) ?? toWords(status)}
        </Link>
      ),
    },
    { name: 'Person', width: '', isWide: true, cell: ({ startedBy }) => startedBy?.actingFor ?? '' },
    { name: 'Started', width: '', isNumber: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
  return <Table label={label} items={turns} toKey={({ id }) => id} columns={columns} />;
}
