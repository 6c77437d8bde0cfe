import { Link } from '@tanstack/react-router';
import type { ListedTurn } from '../../api/types.ts';
import { useAgentNames } from '../../live/names.ts';
import type { Column } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './home.module.css';
import { Moment } from './moment.tsx';

interface TurnsTableProps {
  label: string;
  turns: readonly ListedTurn[];
}

/** Turns with links to their pages: their messages, and why they failed or which agent runs. */
export function TurnsTable({ label, turns }: TurnsTableProps) {
  const names = useAgentNames();
  const columns: Column<ListedTurn>[] = [
    { name: 'State', width: '', cell: ({ status }) => <Status status={status} /> },
    {
      name: 'Run',
      width: '',
      cell: ({ id, agentId, messagePreview, error, status }) => (
        <Link to="/runs/$turnId" params={{ turnId: id }} className={styles.text}>
          <span className={styles.said}>{messagePreview ?? toWords(status)}</span>
          <span className={styles.quiet}>{error?.message ?? names?.get(agentId)}</span>
        </Link>
      ),
    },
    { name: 'Person', width: '', isWide: true, cell: ({ startedBy }) => startedBy?.actingFor ?? '' },
    { name: 'Started', width: '', isNumber: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
  return <Table label={label} items={turns} toKey={({ id }) => id} columns={columns} />;
}
