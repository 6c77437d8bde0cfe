import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * The test files that take longest, in that order. A new clone knows no durations, and a long file that began last would
 * run alone. The first ones have no short limits of time, which a process that still loads its modules could miss.
 */
export const longFiles = [
  'test/readme/readme.temporal.test.ts',
  'test/http/rest/bad-requests.db.test.ts',
  'test/main/dev/run-development.temporal.test.ts',
  'test/main/dev/embedded-postgres.db.test.ts',
  'test/workflows/document-ingestion.temporal.test.ts',
  'test/actions/questions.temporal.test.ts',
  'test/actions/elicitation.temporal.test.ts',
  'test/actions/lasting-approvals.temporal.test.ts',
  'test/schedules/overlapping-work.temporal.test.ts',
  'test/webhooks/deliveries.temporal.test.ts',
  'test/workflows/child-recovery.temporal.test.ts',
  'test/readme/swarms-page.temporal.test.ts',
  'test/temporal/replay/export-histories.temporal.test.ts',
  'test/activities/model/call-model.temporal.test.ts',
  'test/end-to-end/start.temporal.test.ts',
  'test/workflows/waiting-for-workers.temporal.test.ts',
  'test/workflows/worker-crash.temporal.test.ts',
  'test/credits/killed-workers.temporal.test.ts',
  'test/readme/rolling-deploy.temporal.test.ts',
  'test/replays/many-conversations.temporal.test.ts',
  'test/routines/examples.temporal.test.ts',
  'test/house.test.ts',
  'test/cli/live-chat.test.ts',
  'test/replays/report/report-page.test.ts',
  'test/mcp/hostile-server.test.ts',
  'test/statistics/power.test.ts',
  'test/knowledge/read-in-thread.test.ts',
];

/** Runs the files of each project in the order of `longFiles`, and all others after them as Vitest would. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index === -1 ? longFiles.length : index;
    };
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.toSorted((one, other) => group(one) - group(other) || rank(one) - rank(other));
  }
}
