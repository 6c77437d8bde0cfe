import { useQuery } from '@tanstack/react-query';
import type { GetToolAnalyticsResponse } from '../../api/types.ts';
import { formatCount, formatDuration, formatShare } from '../../ui/format.ts';
import type { Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { toolsUsedQuery, type Counted } from './queries.ts';

type ToolFigures = GetToolAnalyticsResponse['tools'][number];

/** How often tools were called, how that ended, and how long it took. */
export function ToolSection({ counted }: { counted: Counted }) {
  const { data, error } = useQuery(toolsUsedQuery(counted));
  return (
    <Section title="By tool">
      <Problem error={error} />
      {data && (
        <Table
          label="Figures of each tool"
          items={data}
          toKey={({ tool }) => tool ?? ''}
          columns={columns}
          empty="No tool was called in these days."
        />
      )}
    </Section>
  );
}

const number = { width: '', isNumber: true };
const wide = { ...number, isWide: true };

const columns: Column<ToolFigures>[] = [
  { name: 'Tool', width: '', cell: ({ tool }) => <code>{tool}</code> },
  { name: 'Calls', ...number, cell: ({ calls }) => formatCount(calls) },
  { name: 'Succeeded', ...number, cell: ({ successRate }) => formatShare(successRate) },
  { name: 'Failed', ...wide, cell: ({ failed }) => formatCount(failed) },
  { name: 'Unknown', ...wide, cell: ({ unknown }) => formatCount(unknown) },
  { name: 'Blocked', ...wide, cell: ({ blocked }) => formatCount(blocked) },
  { name: 'Took (median)', ...number, cell: ({ p50DurationMs }) => toDuration(p50DurationMs) },
  { name: 'Took (95 %)', ...wide, cell: ({ p95DurationMs }) => toDuration(p95DurationMs) },
];

const toDuration = (ms: number | null) => (ms === null ? '' : formatDuration(ms));
