// Stands in for src/main/dev.ts: the same composition, around an API and a worker that do nothing.
import path from 'node:path';
import { loadConfig } from '../../../../src/main/config.ts';
import { parseDevOptions } from '../../../../src/main/dev/dev-options.ts';
import { runDevelopment } from '../../../../src/main/dev/run-development.ts';
import { listenForStop } from '../../../../src/main/dev/stop-requests.ts';

const say = (line: string) => console.log(line);
const signal = listenForStop(say);
const { worker } = parseDevOptions(process.argv.slice(2));

try {
  await runDevelopment({
    config: loadConfig(),
    programs: {
      api: path.join(import.meta.dirname, 'api.ts'),
      worker: path.join(import.meta.dirname, 'worker.ts'),
    },
    worker,
    say,
    signal,
    prepareDatabase: () =>
      Promise.resolve({ apiKey: 'no-key', workspaceId: 'none', conversationId: 'none', taskQueue: 'none' }),
  });
} catch (error) {
  if (error !== signal.reason) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
process.exit();
