import type { ReplayReport } from '../../../domain/replay-report.ts';
import type { CommandServices, Given } from '../../../clients/cli/command-table.ts';
import { findFailures, parseFailOn } from './fail-on.ts';
import { parseMargins, type MarginOptions } from './margins.ts';
import { printReport } from './print-report.ts';
import { toReplayBody, type ReplayOptions } from './replay-body.ts';
import { showProgress } from './replay-progress.ts';
import { readReport, writeReportFiles, type ReportFiles } from './report-files.ts';
import { findShortfalls, parseThresholds } from './thresholds.ts';

/** The conditions under which a command fails. */
interface GateOptions {
  failUnder?: string[];
  failOn?: string[];
}

/** The options of the commands that print a report. */
export type ReportOptions = ReportFiles & GateOptions & MarginOptions;

/** Starts a replay, waits for its end, writes its report, and returns the exit code: 1 when it does not meet the conditions. */
export async function runReplay(
  services: CommandServices,
  { options, input }: Given<ReplayOptions & ReportOptions>,
): Promise<number> {
  const { client, terminal, context } = services;
  checkGate(options);
  const replay = await client.replays.create(await toReplayBody(client, options, input));
  terminal.line(`Replay ${replay.id} is started.`);
  await showProgress({ client, terminal, isTerminal: context.stdout.isTTY ?? false }, replay.id);
  return reportReplay(services, replay.id, options);
}

/** Prints the report of a replay and writes it into files; returns the exit code. */
export async function reportReplay(
  services: CommandServices,
  replayId: string,
  options: ReportOptions,
): Promise<number> {
  checkGate(options);
  const { client, terminal } = services;
  const request = { replayId, margins: parseMargins(options.margins) };
  const report = await readReport(client, request);
  printReport(terminal, report);
  await writeReportFiles(services, request, options);
  const problems = listProblems(report, options);
  for (const problem of problems) services.warn(`Failed: ${problem}`);
  return problems.length === 0 ? 0 : 1;
}

/** Wrong conditions are refused before the replay costs anything. */
function checkGate({ failUnder, failOn }: GateOptions): void {
  if (failUnder !== undefined) parseThresholds(failUnder);
  if (failOn !== undefined) parseFailOn(failOn);
}

/** A replay that has not run all of its cases must not let a change pass. */
function listProblems(report: ReplayReport, { failUnder, failOn }: GateOptions): string[] {
  const { replay, summary } = report;
  return [
    ...(replay.status === 'completed' ? [] : [`the replay is ${replay.status}${toReason(replay.error)}`]),
    ...(summary.cases === 0 ? ['no recorded turn matches the selection'] : []),
    ...(failOn === undefined ? [] : findFailures(report, parseFailOn(failOn))),
    ...(failUnder === undefined ? [] : findShortfalls(report, parseThresholds(failUnder))),
  ];
}

function toReason(error: ReplayReport['replay']['error']): string {
  return error === null ? '' : `: ${error.message}`;
}
