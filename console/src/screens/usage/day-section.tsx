import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Chart } from '../../ui/chart.tsx';
import type { Layer } from '../../ui/drawn-chart.tsx';
import { formatCompact, formatCount, formatCredits, formatDay, formatShortDay } from '../../ui/format.ts';
import type { Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toNoFigures, type Figures } from './figures.ts';
import { figuresQuery, type Counted } from './queries.ts';
import { listDays } from './range.ts';
import { measures, type Measure } from './search.ts';
import styles from './usage.module.css';

interface DaySectionProps {
  counted: Counted;
  show: Measure;
}

const measureNames = { cost: 'Cost', tokens: 'Tokens', turns: 'Turns' };

/** The figures of each day, as a chart and as a table. */
export function DaySection({ counted, show }: DaySectionProps) {
  const { data, error } = useQuery(figuresQuery('day', counted));
  const { from, to } = counted;
  const days = useMemo(() => fillDays(data ?? [], listDays({ from, to })), [data, from, to]);
  const names = useMemo(() => days.map(({ key }) => formatShortDay(key ?? '')), [days]);
  const layers = useMemo(() => toLayers(days, show), [days, show]);
  return (
    <Section
      title="By day"
      actions={
        <Tabs
          label="What the chart shows"
          name="show"
          value={show}
          tabs={measures.map((value) => ({ value, text: measureNames[value] }))}
        />
      }
    >
      <Problem error={error} />
      {data && (
        <div className={styles.days}>
          <Chart
            label={`${measureNames[show]} by day. The table beside it has the same numbers.`}
            names={names}
            layers={layers}
            format={formats[show]}
          />
          <div className={styles.table}>
            <Table
              label="Figures of each day"
              items={days.toReversed()}
              toKey={({ key }) => key ?? ''}
              columns={columns}
            />
          </div>
        </div>
      )}
    </Section>
  );
}

function fillDays(found: readonly Figures[], days: readonly string[]): Figures[] {
  const known = new Map(found.map((one) => [one.key, one]));
  return days.map((day) => known.get(day) ?? toNoFigures(day));
}

const formats = { cost: formatCredits, tokens: formatCompact, turns: formatCount };

function toLayers(days: readonly Figures[], show: Measure): Layer[] {
  const toLayer = (name: string, tone: Layer['tone'], read: (one: Figures) => number): Layer => ({
    ...{ name, tone },
    values: days.map(read),
  });
  if (show === 'cost') return [toLayer('Cost', 'main', ({ credits }) => credits)];
  if (show === 'tokens')
    return [
      toLayer('Tokens in', 'main', ({ inputTokens }) => inputTokens),
      toLayer('Tokens out', 'soft', ({ outputTokens }) => outputTokens),
    ];
  return [
    toLayer('Turns', 'main', ({ turns, failed }) => turns - failed),
    toLayer('Failed', 'bad', ({ failed }) => failed),
  ];
}

const columns: Column<Figures>[] = [
  { name: 'Day', width: '', cell: ({ key }) => formatDay(key ?? '') },
  { name: 'Cost', width: '', isNumber: true, cell: ({ credits }) => formatCredits(credits) },
  { name: 'Tokens in', width: '', isNumber: true, cell: ({ inputTokens }) => formatCount(inputTokens) },
  { name: 'Tokens out', width: '', isNumber: true, cell: ({ outputTokens }) => formatCount(outputTokens) },
  { name: 'Turns', width: '', isNumber: true, cell: ({ turns }) => formatCount(turns) },
  { name: 'Failed', width: '', isNumber: true, cell: ({ failed }) => formatCount(failed) },
];
