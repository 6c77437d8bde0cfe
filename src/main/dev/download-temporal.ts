// Program: download-temporal.ts <folder>. Leaves the Temporal CLI in the folder.
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { temporalCliVersion } from './versions.ts';

const downloadDir = process.argv[2];
if (downloadDir === undefined) throw new Error('Usage: download-temporal.ts <folder>');

try {
  const version = `v${temporalCliVersion}`;
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', version, downloadDir } },
  });
  await environment.teardown();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
