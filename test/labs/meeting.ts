import { beforeAll, beforeEach, type TestContext } from 'vitest';

/** Lets the tests of one `describe.concurrent` share an act that is slow, such as the crash of a worker. */
export interface Meeting {
  /**
   * Waits until every test of the suite has called this or has ended; then the act runs once.
   * @throws what the act throws, in every test that waits for it
   */
  arrive: (context: TestContext) => Promise<void>;
}

/** Builds a meeting. Has to be called in the body of the `describe.concurrent` whose tests meet. */
export function createMeeting(act: () => Promise<void>): Meeting {
  const expected = new Set<string>();
  const complete = Promise.withResolvers<undefined>();
  const done = complete.promise.then(act);
  // When no test waits, nothing else handles the failure.
  done.catch(() => undefined);
  const remove = (id: string) => {
    if (expected.delete(id) && expected.size === 0) complete.resolve(undefined);
  };
  beforeAll(({}, suite) => {
    for (const { id, mode } of suite.tasks) if (mode === 'run' || mode === 'queued') expected.add(id);
  });
  beforeEach(({ task, onTestFinished }) => onTestFinished(() => remove(task.id)));
  return {
    arrive: async ({ task }) => {
      remove(task.id);
      await done;
    },
  };
}
