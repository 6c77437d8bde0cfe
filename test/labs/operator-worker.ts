import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { createLogger } from '../../src/main/logger.ts';
import { temporalAddress } from './temporal.ts';
import { ensureTemporalLogger } from './turn-lab-worker.ts';

const workflowsPath = fileURLToPath(new URL('../workflows/operator-workflows.ts', import.meta.url));

/** Starts the worker of an operator, with workflows that tools start, on a separate task queue. */
export async function startOperatorWorker(taskQueue: string): Promise<{ stop: () => Promise<void> }> {
  ensureTemporalLogger(createLogger({ logLevel: 'silent' }, 'operator'));
  const connection = await NativeConnection.connect({ address: temporalAddress() });
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  const worker = await Worker.create({ connection, taskQueue, workflowBundle });
  const running = worker.run();
  return {
    stop: async () => {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
