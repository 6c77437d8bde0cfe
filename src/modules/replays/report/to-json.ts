import type { BuiltReport } from './build-report.ts';

/** Writes a report as one JSON object, in pieces; `write` gives the JSON of a value. */
export function* toJsonPieces(
  { head, cases }: BuiltReport,
  write: (value: unknown) => string = JSON.stringify,
): Generator<string> {
  yield `${write(head).slice(0, -1)},"cases":[`;
  let separator = '';
  for (const reportCase of cases()) {
    yield `${separator}\n${write(reportCase)}`;
    separator = ',';
  }
  yield ']}\n';
}
