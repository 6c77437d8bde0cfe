import type { LaneSummary, ReportHead, ReportMetric } from '../replay-report.ts';
import { html, type Html } from '../../../../platform/lib/html.ts';
import {
  toCountText,
  toDetectableText,
  toDifferenceText,
  toIntervalText,
  toKindText,
  toMetricLabel,
  toOutsideLine,
  toProgressText,
  toPText,
  toTimeText,
  toValueText,
} from '../../replay-words.ts';
import {
  detectableExplanation,
  pExplanation,
  toLeftOutLine,
  toPlainSummary,
} from '../replay-verdict-words.ts';
import { toJudgeSection } from './judge-section.ts';
import { toTable } from './table.ts';
import { toForestPlot, toPassRateChart, toTrajectoryChart, toTrajectoryLegend } from './charts.ts';

/** The head of the page: name, verdict, and what the replay has reached outside. */
export function toHeader(head: ReportHead): Html {
  const { replay, judgement, partial, summary } = head;
  const verdict = judgement.verdict;
  return html`<header>
    <div>
      <h1>${replay.name}</h1>
      <p class="quiet">${toCandidateLine(head)}</p>
      <p class="quiet">
        ${toCountText(summary.cases, replay.input.mode === 'turns' ? 'recorded turn' : 'conversation')},
        ${toProgressText(replay)} · started ${replay.createdAt.slice(0, 16).replace('T', ' ')} UTC ·
        ${replay.id}
      </p>
    </div>
    <p class="verdict ${toClass(verdict)}"><span class="quiet">candidate</span>${verdict}</p>
    ${partial ? html`<p class="notice">The replay has not ended: runs are missing in this report.</p>` : undefined}
    <p class="lead ${summary.changes.regressed > 0 ? 'worse' : ''}">${toPlainSummary(head)}</p>
    <p class="outside">${toOutsideLine(head)}</p>
  </header>`;
}

function toClass(verdict: string): string {
  return verdict === 'no evidence' ? 'none' : verdict;
}

function toCandidateLine({ replay: { input } }: ReportHead): string {
  const { agentVersionId, model, instructions, sampling, tools, rules } = input.candidate;
  const changes = [
    ...(agentVersionId === undefined ? [] : [`version ${agentVersionId}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(instructions === undefined ? [] : ['other instructions']),
    ...(sampling === undefined ? [] : ['other sampling']),
    ...(tools === undefined ? [] : ['other tools']),
    ...(rules === undefined ? [] : ['other rules']),
  ];
  return `Candidate: ${changes.length === 0 ? 'the recorded version' : changes.join(', ')}`;
}

/** Charts and tables over all cases. */
export function toOverview(head: ReportHead): Html {
  return html`<section class="charts">
      <figure>
        <figcaption>Pass rate, with 95 % intervals</figcaption>
        ${toPassRateChart(head)}
      </figure>
      <figure>
        <figcaption>Tool calls against the recorded ones</figcaption>
        ${toTrajectoryChart(head)} ${toTrajectoryLegend(head)}
      </figure>
      <figure class="wide">
        <figcaption>
          Candidate less ${head.replay.input.baseline ? 'baseline' : 'recorded runs'}, with 95 % intervals,
          each on its own scale
        </figcaption>
        ${toForestPlot(head)}
      </figure>
    </section>
    ${toMetricTable(head)} ${toJudgeSection(head)} ${toLaneTable(head)}`;
}

function toMetricTable(head: ReportHead): Html {
  const { judgement, replay } = head;
  const leftOut = toLeftOutLine(head);
  return html`<section>
    <h2>Metrics</h2>
    ${toTable({
      label: 'Metrics',
      head: html`<th scope="col">metric</th>
        <th scope="col">${replay.input.baseline ? 'baseline' : 'recorded'}</th>
        <th scope="col">candidate</th>
        <th scope="col">difference</th>
        <th scope="col">95 % interval</th>
        <th scope="col">p (Holm)</th>
        <th scope="col">detectable</th>
        <th scope="col">pairs</th>
        <th scope="col">verdict</th>`,
      rows: judgement.metrics.map(toMetricRow),
    })}
    <p class="quiet">${pExplanation}</p>
    <p class="quiet">${detectableExplanation}</p>
    ${leftOut === null ? undefined : html`<p class="quiet">${leftOut}</p>`}
  </section>`;
}

function toMetricRow(metric: ReportMetric): Html {
  const { name, first, second, difference, verdict } = metric;
  return html`<tr>
    <th scope="row">${toMetricLabel(name)}</th>
    <td>${toValueText(name, first.value)}</td>
    <td>${toValueText(name, second.value)}</td>
    <td>${toDifferenceText(name, difference.value)}</td>
    <td>${toIntervalText(name, difference)}</td>
    <td>${toPText(metric.adjustedPValue)}</td>
    <td>${toDetectableText(metric)}</td>
    <td>${metric.pairs}</td>
    <td><span class="badge ${toClass(verdict)}">${verdict}</span></td>
  </tr>`;
}

type Lane = ReportHead['lanes']['candidate'] & LaneSummary;

const laneRows: [label: string, read: (lane: Lane) => string][] = [
  ['runs', ({ runs }) => String(runs)],
  ['passed', ({ passed, passRate }) => (passRate ? String(passed) : '')],
  ['could not be run', ({ failed }) => String(failed)],
  ['outcomes', ({ outcomes }) => toListText(outcomes)],
  ['blocked by rules', ({ ruleBlocks }) => String(ruleBlocks)],
  ['input tokens', ({ usage }) => toNumberText(usage.inputTokens)],
  ['… read from the cache', ({ usage }) => toNumberText(usage.cacheReadTokens)],
  ['… written to the cache', ({ usage }) => toNumberText(usage.cacheWriteTokens)],
  ['output tokens', ({ usage }) => toNumberText(usage.outputTokens)],
  ['… of these reasoning', ({ usage }) => toNumberText(usage.reasoningTokens)],
  ['cost', ({ costUsd }) => (costUsd === null ? 'unknown' : toValueText('costUsd', costUsd))],
  ['duration, median', ({ durations }) => (durations ? toTimeText(durations.p50Ms) : '')],
  ['duration, 95 %', ({ durations }) => (durations ? toTimeText(durations.p95Ms) : '')],
];

function toLaneTable({ lanes }: ReportHead): Html {
  const entries = Object.entries(lanes);
  return html`<section>
    <h2>Lanes</h2>
    ${toTable({
      label: 'Lanes',
      head: html`<td></td>
        ${entries.map(([name]) => html`<th scope="col">${name === 'original' ? 'recorded' : name}</th>`)}`,
      rows: laneRows.map(
        ([label, read]) =>
          html`<tr>
            <th scope="row">${label}</th>
            ${entries.map(([, lane]) => html`<td>${read(lane)}</td>`)}
          </tr>`,
      ),
    })}
  </section>`;
}

function toListText(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${toKindText(name)}`)
    .join(', ');
}

function toNumberText(value: number): string {
  return value.toLocaleString('en');
}
