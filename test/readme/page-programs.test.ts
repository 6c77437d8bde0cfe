import { expect, it } from 'vitest';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { linkHoldfast } from './linked-package.ts';
import { checkPagePrograms } from './page-programs.ts';
import { patienceMs } from './started-project.ts';

it('every program of README.md and docs has right types', { timeout: patienceMs }, async () => {
  const project = createTemporaryFolder();
  linkHoldfast(project);
  const checked = await checkPagePrograms(project);
  expect(checked).toEqual(
    expect.arrayContaining(['README/server.ts', 'docs/turns/wrong-call.ts', 'docs/handlers/server-hono.ts']),
  );
});
