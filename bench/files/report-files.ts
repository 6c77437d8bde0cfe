import { median, quantile } from '../statistics.ts';
import { toTable } from '../table.ts';
import type { FilesFigures } from './run-files.ts';

/** The most by which the memory of the second half may exceed that of the first, as a share: noise, no growth. */
const mostGrowth = 0.1;

/** The growth from the first half of the samples to the second, as a share of the first. */
function growthOf({ samplesMiB }: FilesFigures): number {
  const half = Math.floor(samplesMiB.length / 2);
  return median(samplesMiB.slice(half)) / median(samplesMiB.slice(0, half)) - 1;
}

/** Returns true when memory neither grows with the number of files nor is as large as the files that arrive together. */
export function isFlat(figures: FilesFigures): boolean {
  const { samplesMiB, idleMiB, atOnce, megabytes } = figures;
  return growthOf(figures) <= mostGrowth && Math.max(...samplesMiB) - idleMiB < atOnce * megabytes;
}

/** Returns the report as text with a table. */
export function toFilesReport(figures: FilesFigures): string {
  const { startedAt, machine, uploads, atOnce, megabytes, idleMiB, samplesMiB, totalMs } = figures;
  const half = Math.floor(samplesMiB.length / 2);
  const lines = Object.entries({
    'before the uploads': [idleMiB],
    'first half': samplesMiB.slice(0, half),
    'second half': samplesMiB.slice(half),
  }).map(([name, samples]) => [
    name,
    ...[median(samples), quantile(samples, 1)].map((size) => size.toFixed(0)),
  ]);
  const times = [figures.uploadMs, figures.downloadMs].map((ms) =>
    [median(ms), quantile(ms, 0.95)].map((time) => (time / 1000).toFixed(2)),
  );
  const growth = Math.max(...samplesMiB) - idleMiB;
  return [
    `${uploads} uploads of ${megabytes} MiB to Postgres, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    `${atOnce} at the same time; then a fifth of the files is downloaded.`,
    '',
    toTable(['resident memory of the API, MiB', 'median', 'most'], lines),
    '',
    toTable(
      ['seconds', 'median', 'p95'],
      ['one upload', 'one download'].map((name, index) => [name, ...(times[index] ?? [])]),
    ),
    '',
    `${((uploads * megabytes) / (totalMs / 1000)).toFixed(0)} MiB/s uploaded in all`,
    `${isFlat(figures) ? 'PASS' : 'FAIL'}: the memory of the API changes by ${(growthOf(figures) * 100).toFixed(0)} % from the first half to the second; at most ${mostGrowth * 100}`,
    `      it grows by at most ${growth.toFixed(0)} MiB, where the files that arrive together have ${atOnce * megabytes}`,
  ].join('\n');
}
