import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder that is deleted after the test. */
export function createTemporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, 'holdfast-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
