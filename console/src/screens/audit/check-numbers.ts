import { holdfast } from '../../api/client.ts';

/** What was found in the numbers of the log. */
export interface NumberReport {
  /** How many events there are. */
  events: number;
  /** The first and the last number of each gap, the newest gap first. */
  gaps: (readonly [first: number, last: number])[];
}

/** The most events that the API returns at once. */
const pageSize = 500;

interface Checking {
  signal: AbortSignal;
  /** Called after each page with the number of events that were read. */
  onProgress: (events: number) => void;
}

/** Reads the whole log, newest first, and finds the numbers that are missing from 1 to the newest. */
export async function checkNumbers({ signal, onProgress }: Checking): Promise<NumberReport> {
  const report: NumberReport = { events: 0, gaps: [] };
  let before: number | undefined;
  for (;;) {
    const page = await holdfast.auditEvents.list({ limit: pageSize, cursor: before }, { signal });
    for (const { seq } of page.items) {
      if (before !== undefined && seq < before - 1) report.gaps.push([seq + 1, before - 1]);
      before = seq;
      report.events += 1;
    }
    onProgress(report.events);
    if (page.nextCursor === null) break;
  }
  if (before !== undefined && before > 1) report.gaps.push([1, before - 1]);
  return report;
}
