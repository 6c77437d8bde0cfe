// Runs in the browser.
import type { ReplayReport, ReportCase } from '../replay-report.ts';
import { toDifferenceLine, toKindText } from '../../replay-words.ts';
import { makeScrollable, toDetails } from './case-details.ts';
import { create, find, type PageElement } from './elements.ts';
import { searchCases, toJudgeVerdict, toKind, toResult, type CaseFilter } from './search-cases.ts';

/** Few enough that a page of cases is there at once. */
const casesPerPage = 50;

const { cases } = JSON.parse(find('report').textContent) as ReplayReport;
const filters = ['verdict', 'trajectory', 'kind', 'tool', 'judge'] as const;
let page = 0;

function fillFilter(id: (typeof filters)[number], read: (one: ReportCase) => string[]): void {
  const counts = new Map<string, number>();
  for (const one of cases) for (const value of read(one)) counts.set(value, (counts.get(value) ?? 0) + 1);
  const options = [...counts].toSorted(([, one], [, other]) => other - one);
  find(id).append(
    toOption('', 'all'),
    ...options.map(([value, count]) => toOption(value, `${toKindText(value)} (${count})`)),
  );
}

function toOption(value: string, text: string): PageElement {
  const option = create('option', '', text);
  option.value = value;
  return option;
}

function toRow(one: ReportCase): PageElement {
  const result = toResult(one);
  const summary = create(
    'summary',
    '',
    create('span', 'position', String(one.position)),
    create('span', `badge ${result.replace(' ', '-')}`, result),
    create('span', 'message', one.message),
    create('span', 'difference', toDifferenceLine(one) ?? ''),
  );
  const row = create('details', '', summary);
  let isFilled = false;
  row.addEventListener('toggle', () => {
    if (!row.open || isFilled) return;
    isFilled = true;
    const details = toDetails(one);
    row.append(details);
    makeScrollable(details);
  });
  row.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !row.open) return;
    row.open = false;
    summary.focus();
  });
  return row;
}

function show(): void {
  const values = Object.fromEntries(['search', ...filters].map((id) => [id, find(id).value]));
  const found = searchCases(cases, values as unknown as CaseFilter);
  const pages = Math.max(1, Math.ceil(found.length / casesPerPage));
  page = Math.min(page, pages - 1);
  const shown = found.slice(page * casesPerPage, (page + 1) * casesPerPage);
  find('cases').replaceChildren(...shown.map(toRow));
  find('count').textContent = `${found.length} of ${cases.length} cases, those that changed most first`;
  find('page').textContent = `page ${page + 1} of ${pages}`;
  find('previous').disabled = page === 0;
  find('next').disabled = page === pages - 1;
}

function turn(by: number): void {
  page += by;
  show();
  find('count').scrollIntoView({ block: 'nearest' });
}

fillFilter('verdict', (one) => [toResult(one)]);
fillFilter('trajectory', ({ lanes: { candidate } }) => [candidate?.trajectory ?? 'not_run']);
fillFilter('kind', (one) => [toKind(one)]);
fillFilter('tool', ({ tools }) => tools);
fillFilter('judge', (one) => [toJudgeVerdict(one)]);
for (const id of ['search', ...filters]) {
  find(id).addEventListener('input', () => {
    page = 0;
    show();
  });
}
find('previous').addEventListener('click', () => turn(-1));
find('next').addEventListener('click', () => turn(1));
show();
