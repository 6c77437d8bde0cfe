import { writeFileSync } from 'node:fs';
import type { HoldfastClient } from '../../../clients/client/index.ts';
import type { ReplayReport } from '../../../domain/replay-report.ts';
import type { Terminal } from '../../../clients/cli/terminal.ts';
import type { parseMargins } from './margins.ts';

const formats = ['html', 'json', 'markdown', 'junit'] as const;
type ReportFormat = (typeof formats)[number];

/** The files that a report is written to, by format. */
export type ReportFiles = Partial<Record<ReportFormat, string>>;

/** A report of many cases takes a while to be built. */
const timeoutMs = 600_000;

/** A replay, and the margins by which its report is judged. */
interface ReportRequest {
  replayId: string;
  /** @default those of the replay */
  margins: ReturnType<typeof parseMargins>;
}

/** Reads the report of a replay. */
export async function readReport(
  client: HoldfastClient,
  { replayId, margins }: ReportRequest,
): Promise<ReplayReport> {
  const blob = await client.replays.report(replayId, toQuery(margins), { timeoutMs });
  return JSON.parse(await blob.text()) as ReplayReport;
}

/** Writes the report of a replay into the files that are given. */
export async function writeReportFiles(
  { client, terminal }: { client: HoldfastClient; terminal: Terminal },
  { replayId, margins }: ReportRequest,
  files: ReportFiles,
): Promise<void> {
  for (const format of formats) {
    const file = files[format];
    if (file === undefined) continue;
    const blob = await client.replays.report(replayId, { format, ...toQuery(margins) }, { timeoutMs });
    writeFileSync(file, Buffer.from(await blob.arrayBuffer()));
    terminal.line(`Wrote ${file}.`);
  }
}

/** A margin as a parameter of the report, such as `costMargin`. */
function toQuery({ passed, scores, costUsd, durationMs }: ReportRequest['margins'] = {}) {
  const parameters = {
    passedMargin: passed,
    scoresMargin: scores,
    costMargin: costUsd,
    durationMargin: durationMs,
  };
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}
