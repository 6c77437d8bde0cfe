import { readFileSync } from 'node:fs';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * How long the longest test files take, in seconds on a machine with two cores. A new clone knows no durations, and a long file
 * that began last would run alone. `DurationsReporter` writes the file.
 */
export const durations = JSON.parse(
  readFileSync(new URL('../durations.json', import.meta.url), 'utf8'),
) as Record<string, number>;

/** Runs the files of each project by their durations, the longest first, and all others after them as Vitest would. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const root = `${this.ctx.config.root}/`;
    const durationOf = ({ moduleId }: TestSpecification) => durations[moduleId.replace(root, '')] ?? 0;
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.toSorted((one, other) => group(one) - group(other) || durationOf(other) - durationOf(one));
  }
}
