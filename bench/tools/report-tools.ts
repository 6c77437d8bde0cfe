import { median, quantile } from '../statistics.ts';
import { toTable } from '../table.ts';
import type { ToolsRow } from './measure-tools.ts';

/** The limits of Holdfast's own time for discovery and for a turn through the gateway. */
const targetMs = 150;

/** The figures as a table for people. */
export function toToolsReport(rows: ToolsRow[]): string {
  const lines = rows.map(({ name, wallMs, ownMs }) => [
    name,
    median(wallMs).toFixed(1),
    median(ownMs).toFixed(1),
    quantile(ownMs, 0.95).toFixed(1),
    median(ownMs) < targetMs ? 'yes' : 'no',
  ]);
  const header = ['milliseconds', 'median wall', 'median own', 'p95 own', `own < ${targetMs}`];
  const count = rows[0]?.wallMs.length ?? 0;
  return [
    toTable(header, lines),
    '',
    `${count} of each. "Own" is wall time less what the model's and the MCP server's processes took to answer.`,
  ].join('\n');
}
