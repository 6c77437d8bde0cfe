import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { durations } from './longest-first.ts';

/** The shortest duration that is stored, in seconds; files without one run after the others. */
const leastSeconds = 10;

/** Returns the durations of the files that ran and of those that did not, the longest first. */
export function toDurations(
  modules: readonly { file: string; seconds: number }[],
  before: Record<string, number>,
): Record<string, number> {
  const ran = new Map(modules.map(({ file, seconds }) => [file, Math.round(seconds)]));
  const all = [...Object.entries(before).filter(([file]) => !ran.has(file)), ...ran];
  const long = all.filter(([, seconds]) => seconds >= leastSeconds);
  return Object.fromEntries(
    long.sort(([one, first], [other, second]) => second - first || (one < other ? -1 : 1)),
  );
}

/** Writes `test/durations.json`, by which `LongestFirst` orders the files, when HOLDFAST_NOTE_DURATIONS is `true`. */
export default class DurationsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env['HOLDFAST_NOTE_DURATIONS'] !== 'true') return;
    const ran = modules.map((module) => ({
      file: path.relative(process.cwd(), module.moduleId),
      seconds: module.diagnostic().duration / 1000,
    }));
    const text = JSON.stringify(toDurations(ran, durations), null, 2);
    writeFileSync('test/durations.json', `${text}\n`);
  }
}
