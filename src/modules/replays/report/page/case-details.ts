// Runs in the browser.
import type { ReportCase, ReportRun } from '../replay-report.ts';
import { toKindText } from '../../replay-words.ts';
import { create, type PageElement } from './elements.ts';

/** Lets the keyboard scroll what is longer than its box. The details must be on the page. */
export function makeScrollable(details: PageElement): void {
  for (const element of details.querySelectorAll('pre, .scroll')) {
    const isLong = element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth;
    if (isLong) element.setAttribute('tabindex', '0');
  }
}

/** Shows a case whole: message, difference, answers side by side, and the numbers of its lanes. */
export function toDetails(one: ReportCase): PageElement {
  const { candidate } = one.lanes;
  const heading = (text: string) => create('h3', '', text);
  const parts = [
    heading(one.turn > 1 ? `Message of turn ${one.turn}` : 'Message'),
    create('pre', '', one.message),
  ];
  const difference = candidate?.firstDifference;
  if (candidate?.error)
    parts.push(heading('The candidate could not be run'), create('pre', '', candidate.error.message));
  if (difference) {
    const place = `First difference: turn ${difference.turn}, step ${difference.iteration}, ${toKindText(difference.kind)}`;
    parts.push(
      heading(place),
      toSides(create('pre', '', difference.expected), create('pre', '', difference.found)),
    );
  }
  parts.push(
    ...toBroken(one, heading),
    ...toAnswers(one, heading),
    ...toJudged(one, heading),
    heading('Numbers'),
    toNumbers(one),
  );
  const ids = `conversation ${one.conversationId}, ${one.turnIds.map((id) => `turn ${id}`).join(', ')}`;
  parts.push(create('p', 'quiet', ids));
  return create('div', 'body', ...parts);
}

/** The calls that were answered when recorded, and why they are not any more. */
function toBroken({ lanes }: ReportCase, heading: (text: string) => PageElement): PageElement[] {
  const broken = lanes.candidate?.brokenCalls ?? [];
  if (broken.length === 0) return [];
  const items = broken.map(({ turn, iteration, name, answeredBy, reason }) =>
    create('li', '', `turn ${turn}, step ${iteration}: ${name}, ${answeredBy}: ${reason}`),
  );
  return [heading('Tool calls that are not answered any more'), create('ul', 'reasons', ...items)];
}

function toSides(left: PageElement, right: PageElement): PageElement {
  return create('div', 'answers', left, right);
}

function toAnswers(one: ReportCase, heading: (text: string) => PageElement): PageElement[] {
  const { original, baseline, candidate } = one.lanes;
  const recorded = original?.answer ?? '';
  const parts = one.answerDiff
    ? [
        toSides(
          create('div', '', heading('Recorded answer'), toSide(one, -1)),
          create('div', '', heading("Candidate's answer"), toSide(one, 1)),
        ),
      ]
    : [
        heading(original && candidate && !candidate.error ? 'Answer, the same in both' : 'Recorded answer'),
        create('pre', '', recorded),
      ];
  const isOther = baseline !== undefined && baseline.answer !== null && !baseline.error;
  return isOther ? [...parts, heading("Baseline's answer"), create('pre', '', baseline.answer ?? '')] : parts;
}

/** The verdict of the judge about the candidate's answer, and its reason in each order of the answers. */
function toJudged({ lanes }: ReportCase, heading: (text: string) => PageElement): PageElement[] {
  const judged = lanes.candidate?.judged;
  if (!judged) return [];
  const orders = ['the recorded answer first', 'the recorded answer second'];
  const reasons = judged.reasons.map((reason, index) =>
    create('li', '', `${orders[index] ?? ''}: ${reason}`),
  );
  return [
    heading(`Judge: ${toVerdictText(judged)} (prompt ${judged.promptHash})`),
    create('ul', 'reasons', ...reasons),
  ];
}

function toVerdictText({ verdict, flipped }: NonNullable<ReportRun['judged']>): string {
  return flipped ? `${verdict}, since it contradicted itself when the answers changed places` : verdict;
}

/** One side of a diff: what both have, and what only this side has, marked. */
function toSide({ answerDiff }: ReportCase, side: -1 | 1): PageElement {
  const element = create('pre', '');
  for (const [kind, text] of answerDiff ?? []) {
    if (kind === 0) element.append(text);
    else if (kind === side) element.append(create(side === 1 ? 'ins' : 'del', '', text));
  }
  return element;
}

const rows: [label: string, read: (run: ReportRun) => string][] = [
  [
    'passed',
    (run) =>
      run.repeats.runs > 1 ? `${run.repeats.passed} of ${run.repeats.runs}` : run.passed ? 'yes' : 'no',
  ],
  ['outcome', (run) => toKindText(run.outcome ?? 'not run')],
  ['trajectory', (run) => toKindText(run.trajectory ?? '')],
  [
    'scores',
    (run) =>
      Object.entries(run.scores)
        .map(([name, score]) => `${name} ${score}`)
        .join(', '),
  ],
  [
    'judge',
    ({ judged }) => (judged ? `${judged.verdict}${judged.flipped ? ', contradicted itself' : ''}` : ''),
  ],
  ['tool calls', (run) => String(run.calls)],
  ['blocked by rules', (run) => run.ruleBlocks.map(({ tool, rule }) => `${tool} (${rule})`).join(', ')],
  ['tokens: input / from cache / to cache / output', (run) => toTokens(run)],
  ['cost', (run) => (run.costUsd === null ? 'unknown' : `$${Number(run.costUsd.toPrecision(3))}`)],
  ['time', (run) => `${run.durationMs} ms`],
];

function toTokens({ usage }: ReportRun): string {
  return [usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens, usage.outputTokens].join(' / ');
}

function toNumbers({ lanes }: ReportCase): PageElement {
  const entries = Object.entries(lanes);
  const names = entries.map(([name]) => toHeader('col', name === 'original' ? 'recorded' : name));
  const body = rows.map(([label, read]) =>
    create('tr', '', toHeader('row', label), ...entries.map(([, run]) => create('td', '', read(run)))),
  );
  const table = create(
    'table',
    '',
    create('thead', '', create('tr', '', create('td', ''), ...names)),
    create('tbody', '', ...body),
  );
  const scroll = create('div', 'scroll', table);
  scroll.setAttribute('role', 'group');
  scroll.setAttribute('aria-label', 'Numbers');
  return scroll;
}

function toHeader(scope: 'col' | 'row', text: string): PageElement {
  const element = create('th', '', text);
  element.setAttribute('scope', scope);
  return element;
}
