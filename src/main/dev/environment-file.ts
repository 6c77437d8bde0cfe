import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Running } from '../running.ts';
import type { Development } from './development.ts';

interface EnvironmentFacts {
  file: Running;
  seed: Development;
}

/**
 * Writes the file `env` with variables that lead programs and commands to a running `npm start`, for the `.` of a shell and
 * the `--env-file` of Node. Readable by its owner only, since it has the development key. Returns a function that removes it.
 */
export function writeEnvironmentFile(dataDir: string, facts: EnvironmentFacts): () => void {
  const file = path.join(dataDir, 'env');
  // The mode counts only for a file that is new.
  rmSync(file, { force: true });
  writeFileSync(file, toEnvironmentFile(facts), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

function toEnvironmentFile({ file, seed }: EnvironmentFacts): string {
  const variables = {
    HOLDFAST_URL: file.api,
    HOLDFAST_API_KEY: seed.apiKey,
    HOLDFAST_WORKSPACE: seed.workspaceId,
    HOLDFAST_CONVERSATION: seed.conversationId,
    // Without the variables by which programs choose a cluster and a queue: the next start in the same shell would use them.
    HOLDFAST_TEMPORAL_ADDRESS: file.temporal.address,
    HOLDFAST_TEMPORAL_NAMESPACE: file.temporal.namespace,
    HOLDFAST_TEMPORAL_TASK_QUEUE: seed.taskQueue,
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join('');
}
