import type { ReplayReport } from '../api/replay-report.ts';

/** The report that the document has as JSON. */
export const report = readReport();

function readReport(): ReplayReport {
  const text = document.getElementById('report')?.textContent;
  if (text === undefined) throw new Error('The document has no element with the id "report".');
  return JSON.parse(text) as ReplayReport;
}
