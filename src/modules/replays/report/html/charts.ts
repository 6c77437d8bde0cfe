import type { ReportHead, ReportMetric } from '../replay-report.ts';
import { trajectories } from '../../../../domain/replay.ts';
import { html, type Html } from '../../../../platform/lib/html.ts';
import {
  toCountText,
  toDifferenceText,
  toIntervalText,
  toKindText,
  toMetricLabel,
  toValueText,
} from '../../replay-words.ts';

/** The widths of a chart and its columns, in pixels. */
interface Widths {
  all: number;
  label: number;
  plot: number;
}

const narrow: Widths = { all: 520, label: 100, plot: 330 };
const wide: Widths = { all: 1090, label: 150, plot: 740 };
const rowHeight = 34;
const plotWidth = narrow.plot;
const labelWidth = narrow.label;

interface Row {
  label: string;
  value: string;
  plot: Html;
}

interface Chart {
  rows: Row[];
  axis: Html;
  widths?: Widths;
}

/** Draws rows with a label on the left, a plot, and a value on the right. */
function toChart(title: string, { rows, axis, widths = narrow }: Chart): Html {
  const height = rows.length * rowHeight + 22;
  return html`<svg viewBox="0 0 ${widths.all} ${height}" role="img" aria-label="${title}">
    ${axis}
    ${rows.map(
      ({ label, value, plot }, index) =>
        html`<g transform="translate(0 ${index * rowHeight})">
          <title>${label}: ${value}</title>
          <text class="label" x="${widths.label - 10}" y="22" text-anchor="end">${label}</text>
          <g transform="translate(${widths.label} 0)">${plot}</g>
          <text class="value" x="${widths.all}" y="22" text-anchor="end">${value}</text>
        </g>`,
    )}
  </svg>`;
}

/** Pass rates of the lanes with their intervals. */
export function toPassRateChart({ lanes }: Pick<ReportHead, 'lanes'>): Html {
  const rows = Object.entries(lanes).flatMap(([name, { passRate }]): Row[] => {
    if (!passRate) return [];
    const { value, low, high } = passRate;
    const at = (rate: number) => (rate * plotWidth).toFixed(1);
    const plot = html`<rect class="track" width="${plotWidth}" height="14" y="10" rx="3" />
      <rect class="bar ${name}" width="${at(value)}" height="14" y="10" rx="3" />
      ${low === null || high === null ? undefined : toWhisker(Number(at(low)), Number(at(high)))}`;
    return [{ label: name, value: toValueText('passed', value), plot }];
  });
  return toChart('Pass rates with intervals of 95 %', { rows, axis: toRateAxis(rows.length) });
}

function toRateAxis(rows: number): Html {
  const y = rows * rowHeight + 16;
  return html`${[0, 0.25, 0.5, 0.75, 1].map((rate) => {
    const x = labelWidth + rate * plotWidth;
    return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="${rows * rowHeight}" />
      <text class="tick" x="${x}" y="${y}" text-anchor="middle">${100 * rate} %</text>`;
  })}`;
}

function toWhisker(low: number, high: number): Html {
  return html`<line class="whisker" x1="${low}" x2="${high}" y1="17" y2="17" />
    <line class="whisker" x1="${low}" x2="${low}" y1="12" y2="22" />
    <line class="whisker" x1="${high}" x2="${high}" y1="12" y2="22" />`;
}

/** How the tool calls of the lanes relate to the recorded ones, as parts of all their runs. */
export function toTrajectoryChart({ lanes }: Pick<ReportHead, 'lanes'>): Html {
  const rows = Object.entries(lanes).flatMap(([name, lane]): Row[] => {
    if (name === 'original') return [];
    let from = 0;
    const parts = listParts(lane).map(([kind, count]) => {
      const x = from;
      const part = (count / Math.max(1, lane.runs)) * plotWidth;
      from += part;
      return html`<rect class="part ${kind}" x="${x.toFixed(1)}" width="${part.toFixed(1)}" height="18" y="8">
        <title>${name}, ${toKindText(kind)}: ${count}</title>
      </rect>`;
    });
    return [{ label: name, value: toCountText(lane.runs, 'run'), plot: html`${parts}` }];
  });
  return toChart('Trajectories', { rows, axis: html`` });
}

function listParts(lane: NonNullable<ReportHead['lanes']['candidate']>): [kind: string, count: number][] {
  return [
    ...trajectories.map((kind): [string, number] => [kind, lane.trajectories[kind] ?? 0]),
    ['not_run', lane.failed] as [string, number],
  ].filter(([, count]) => count > 0);
}

/** The names and colours of the trajectories that the chart shows. */
export function toTrajectoryLegend({ lanes }: Pick<ReportHead, 'lanes'>): Html {
  const counts = new Map<string, number>();
  for (const [name, lane] of Object.entries(lanes)) {
    if (name === 'original') continue;
    for (const [kind, count] of listParts(lane)) counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  const entries = [...counts.keys()].map(
    (kind) => html`<li><span class="swatch ${kind}"></span>${toKindText(kind)}</li>`,
  );
  return html`<ul class="legend">
    ${entries}
  </ul>`;
}

/** Differences of the metrics with their intervals. Each row has its own scale, since their units differ. */
export function toForestPlot({ judgement: { metrics } }: Pick<ReportHead, 'judgement'>): Html {
  const middle = wide.plot / 2;
  const rows = metrics.map((metric): Row => {
    const { name, difference, verdict } = metric;
    const reach = toReach(metric);
    const at = (value: number) => Number((middle + (value / reach) * middle * 0.9).toFixed(1));
    const { low, high, value } = difference;
    const shape = verdict === 'better' || verdict === 'worse' ? verdict : 'none';
    const plot = html`<g class="estimate ${shape}">
      <title>${toMetricLabel(name)}: ${toIntervalText(name, difference)}</title>
      ${low === null || high === null ? undefined : toWhisker(at(low), at(high))}
      <circle cx="${at(value)}" cy="17" r="5" />
    </g>`;
    const text = `${toDifferenceText(name, value)}, ${verdict}`;
    return { label: toMetricLabel(name), value: text, plot };
  });
  const x = wide.label + middle;
  const y = rows.length * rowHeight;
  const axis = html`<line class="zero" x1="${x}" x2="${x}" y1="0" y2="${y}" />
    <text class="tick" x="${x}" y="${y + 16}" text-anchor="middle">no difference</text>`;
  return toChart('Differences of the metrics with intervals of 95 %', { rows, axis, widths: wide });
}

function toReach({ difference: { value, low, high } }: ReportMetric): number {
  const reach = Math.max(Math.abs(value), Math.abs(low ?? 0), Math.abs(high ?? 0));
  return reach === 0 ? 1 : reach;
}
