import { parentPort } from 'node:worker_threads';
import { runImportTask, type CompareTask, type ImportTask } from './import-task.ts';

/** The program of a thread: runs one task after the other. The first message says that the thread is ready. */
parentPort?.on('message', (text: string) => {
  const answer = runImportTask(JSON.parse(text) as ImportTask | CompareTask);
  parentPort?.postMessage({ answer });
});
parentPort?.postMessage('ready');
