import { afterAll, beforeAll } from 'vitest';

/**
 * Opens a lab before the tests of a file, or of a `describe`, and closes it after them. The returned object has the
 * fields of the lab once the tests run.
 */
export function openForTests<Lab extends { close: () => Promise<void> }>(open: () => Promise<Lab>): Lab {
  const lab = {} as Lab;
  beforeAll(async () => void Object.assign(lab, await open()));
  afterAll(() => lab.close());
  return lab;
}
