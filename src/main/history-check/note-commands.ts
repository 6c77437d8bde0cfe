import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { checkHistories } from './check-histories.ts';
import { readHistories, type SavedHistory } from './saved-history.ts';

/**
 * Adds to the files of a folder the commands that the workflows of this version issue in a replay, as far as the histories do
 * not hold them: inputs of local activities, and numbers in texts that are masked. A later check compares both.
 */
export async function noteCommands(workflowBundle: WorkflowBundleOption, folder: string): Promise<void> {
  for await (const { history, problems, noted } of checkHistories(workflowBundle, readHistories(folder))) {
    if (problems.length > 0 || noted.length === 0) continue;
    const file = path.join(folder, `${history.name}.json`);
    const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedHistory;
    writeFileSync(file, `${JSON.stringify({ ...saved, noted } satisfies SavedHistory, null, 1)}\n`);
  }
}
