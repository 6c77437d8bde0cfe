import { useQuery } from '@tanstack/react-query';
import type { UsageFigures } from '../../api/types.ts';
import { Bar } from '../../ui/bar.tsx';
import { formatCount, formatCredits, formatShare } from '../../ui/format.ts';
import type { Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { countInput } from './figures.ts';
import { modelsUsedQuery, type Counted } from './queries.ts';

const kinds: Record<string, string> = {
  model: 'answers',
  summary: 'summaries',
  tool: 'tool calls',
  replay: 'replays',
  embedding: 'search by meaning',
};

/** What was spent on each model, and on calls of tools that have a price. */
export function ModelSection({ counted }: { counted: Counted }) {
  const { data, error } = useQuery(modelsUsedQuery(counted));
  return (
    <Section title="By model">
      <Problem error={error} />
      {data && (
        <Table
          label="Figures of each model"
          items={data}
          toKey={({ model, kind }) => `${kind ?? ''} ${model ?? ''}`}
          columns={toColumns(Math.max(...data.map(({ credits }) => Number(credits))))}
          empty="No model was called in these days."
        />
      )}
    </Section>
  );
}

const toKind = (kind: string | null) => kinds[kind ?? ''] ?? kind ?? '';
const toModel = ({ model, kind }: UsageFigures) =>
  model ?? (kind === 'tool' ? 'Tools with a price' : 'Unknown');

function toColumns(most: number): Column<UsageFigures>[] {
  const number = { width: '', isNumber: true };
  return [
    { name: 'Model', width: '', cell: toModel },
    { name: 'For', width: '', isWide: true, cell: ({ kind }) => toKind(kind) },
    {
      name: 'Cost',
      width: '',
      cell: (one) => (
        <Bar
          label={`Cost of ${toModel(one)}, ${toKind(one.kind)}`}
          value={Number(one.credits)}
          most={most}
          text={one.unpricedCalls > 0 && one.credits === '0' ? 'no price' : formatCredits(one.credits)}
        />
      ),
    },
    { name: 'Calls', ...number, cell: (one) => formatCount(countCalls(one)) },
    { name: 'Tokens in', ...number, isWide: true, cell: (one) => formatCount(countInput(one)) },
    { name: 'From cache', ...number, isWide: true, cell: ({ cacheHitRate }) => formatShare(cacheHitRate) },
    { name: 'Tokens out', ...number, isWide: true, cell: ({ outputTokens }) => formatCount(outputTokens) },
  ];
}

function countCalls(one: UsageFigures): number {
  return one.modelCalls + one.summaryCalls + one.toolCalls + one.replayRuns + one.embeddingCalls;
}
