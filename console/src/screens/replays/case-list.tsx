import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  toCountText,
  toDifferenceLine,
  type ReplayReport,
  type ReportCase,
} from '../../api/replay-report.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './case-list.module.css';
import { toCaseColumns } from './case-table.tsx';
import { caseFilters, type CaseFilter, type ReplaySearch } from './search.ts';
import { toChange } from './words.ts';

interface CaseListProps {
  report: ReplayReport;
  search: ReplaySearch;
}

const filterNames: Record<CaseFilter, string> = {
  all: 'All',
  changed: 'Changed',
  worse: 'Worse',
  better: 'Better',
};

/** The cases of a report, those that changed most first. */
export function CaseList({ report, search }: CaseListProps) {
  const navigate = useNavigate();
  const { show, text = '' } = search;
  const change = (changes: object) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changes }), replace: true });
  const counts = useMemo(() => countCases(report.cases), [report.cases]);
  const found = useMemo(() => findCases(report.cases, show, text), [report.cases, show, text]);
  const columns = useMemo(() => toCaseColumns(report.replay.id), [report.replay.id]);
  return (
    <div className={styles.cases}>
      <div className={styles.bar}>
        <Tabs
          label="Cases"
          name="show"
          value={show}
          tabs={caseFilters.map((value) => ({ value, text: `${filterNames[value]} ${counts[value]}` }))}
        />
        <div className={styles.search}>
          <Field
            label="Search in cases"
            hidesLabel
            type="search"
            placeholder="Message, answer, tool"
            value={text}
            onChange={(words) => change({ text: words })}
          />
        </div>
        {report.casesLeftOut > 0 && (
          <p>{toCountText(report.casesLeftOut, 'case')} that changed less are left out.</p>
        )}
      </div>
      <div className={styles.list}>
        <List
          label="Cases"
          items={found}
          toKey={({ position }) => String(position)}
          columns={columns}
          empty={
            <Empty
              title="No case fits"
              action={<Button onPress={() => change({ show: 'all', text: '' })}>Show all cases</Button>}
            />
          }
        />
      </div>
    </div>
  );
}

function isShown(one: ReportCase, filter: CaseFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'changed') return one.changed;
  const change = toChange(one);
  return change === filter || (filter === 'worse' && change === 'not run');
}

function countCases(cases: readonly ReportCase[]): Record<CaseFilter, number> {
  const counts = { all: 0, changed: 0, worse: 0, better: 0 };
  for (const one of cases) for (const filter of caseFilters) if (isShown(one, filter)) counts[filter] += 1;
  return counts;
}

function findCases(cases: readonly ReportCase[], filter: CaseFilter, text: string): ReportCase[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return cases.filter((one) => {
    if (!isShown(one, filter)) return false;
    if (words.length === 0) return true;
    const searched = toSearchText(one);
    return words.every((word) => searched.includes(word));
  });
}

function toSearchText(one: ReportCase): string {
  const { message, tools, lanes, conversationId, turnIds } = one;
  const texts = Object.values(lanes).flatMap(({ answer, error, firstDifference, judged }) => [
    ...[answer, error?.message, firstDifference?.expected, firstDifference?.found],
    ...(judged?.reasons ?? []),
  ]);
  return [message, ...tools, ...texts, toDifferenceLine(one), conversationId, ...turnIds]
    .join('\n')
    .toLowerCase();
}
