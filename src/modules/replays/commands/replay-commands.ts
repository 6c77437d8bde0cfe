import type { ReplayReport } from '../../../domain/replay-report.ts';
import { toOneLine } from '../../../domain/text.ts';
import type { ChatServices } from '../../../clients/cli/chat-services.ts';
import { readAll } from '../../../clients/cli/pages.ts';
import { printJson, type OutputOptions } from '../../../clients/cli/output.ts';
import { findFailures, parseFailOn } from './fail-on.ts';
import { parseMargins, type MarginOptions } from './margins.ts';
import { printReport } from './print-report.ts';
import { toReplayBody, type ReplayOptions } from './replay-body.ts';
import { showProgress, toProgressLine } from './replay-progress.ts';
import { readReport, writeReportFiles, type ReportFiles } from './report-files.ts';
import { findShortfalls, parseThresholds } from './thresholds.ts';

type CommandServices = Pick<ChatServices, 'client' | 'terminal'>;

/** The conditions under which a command fails. */
export interface GateOptions {
  failUnder?: string[];
  failOn?: string[];
}

/** Starts a replay, waits for its end, writes its report, and returns the exit code: 1 when it does not meet the conditions. */
export async function runReplay(
  services: CommandServices & Pick<ChatServices, 'context' | 'warn'>,
  options: ReplayOptions & ReportFiles & GateOptions & MarginOptions,
): Promise<number> {
  const { client, terminal, context } = services;
  checkGate(options);
  const replay = await client.replays.create(await toReplayBody(client, options));
  terminal.line(`Replay ${replay.id} is started.`);
  await showProgress({ client, terminal, isTerminal: context.stdout.isTTY ?? false }, replay.id);
  return reportReplay(services, replay.id, options);
}

/** Prints the report of a replay and writes it into files; returns the exit code. */
export async function reportReplay(
  services: CommandServices & Pick<ChatServices, 'warn'>,
  replayId: string,
  options: ReportFiles & GateOptions & MarginOptions,
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

/** Lists the replays, one line each. */
export async function listReplays({ client, terminal }: CommandServices, options: OutputOptions) {
  const replays = await readAll((page) => client.replays.list(page));
  if (options.json) {
    printJson(terminal, replays);
    return;
  }
  if (replays.length === 0) terminal.line('There are no replays yet.');
  for (const { id, createdAt, name, ...progress } of replays)
    terminal.line(`${id}  ${createdAt}  ${toOneLine(name, 40)}  ${toProgressLine(progress)}`);
}

/** Shows how far a replay is. */
export async function showReplay({ client, terminal }: CommandServices, id: string, options: OutputOptions) {
  const replay = await client.replays.get(id);
  if (options.json) printJson(terminal, replay);
  else terminal.line(`${replay.name}: ${toProgressLine(replay)}`);
}

/** Returns the action of a command that pauses, resumes or cancels a replay. */
export function controlReplay(command: 'pause' | 'resume' | 'cancel') {
  return async ({ client, terminal }: CommandServices, id: string, options: OutputOptions): Promise<void> => {
    const replay = await client.replays[command](id);
    if (options.json) printJson(terminal, replay);
    else terminal.line(`Replay ${id} is ${replay.status}.`);
  };
}
