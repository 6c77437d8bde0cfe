import { parentPort } from 'node:worker_threads';
import { runSchemaTask, type SchemaTask } from './schema-task.ts';

/** The program of a thread: runs one task after the other. The first message says that the thread is ready. */
parentPort?.on('message', (text: string) => {
  const answer = runSchemaTask(JSON.parse(text) as SchemaTask);
  parentPort?.postMessage({ answer });
});
parentPort?.postMessage('ready');
