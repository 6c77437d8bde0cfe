import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Counts passed tests and failures: failed tests, files that could not be loaded, and unhandled errors. */
export function countTests(
  modules: readonly Pick<TestModule, 'children' | 'errors'>[],
  strayErrors: readonly SerializedError[],
): { passed: number; failed: number } {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const states = tests.map((test) => test.result().state);
  const suites = modules.flatMap((module) => [...module.children.allSuites()]);
  const broken = [...modules, ...suites].filter((part) => part.errors().length > 0);
  return {
    passed: states.filter((state) => state === 'passed').length,
    failed: states.filter((state) => state !== 'passed').length + broken.length + strayErrors.length,
  };
}

/** Ends a run with the line `123 passed, 0 failed`; a test that did not run counts as failed. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    const { passed, failed } = countTests(modules, strayErrors);
    // Waits until the other reporters have written their summary in the same tick.
    setImmediate(() => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  }
}
