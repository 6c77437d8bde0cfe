import { parentPort } from 'node:worker_threads';
import { runDocumentTask, type DocumentTask } from './document-task.ts';
import { loadSdk } from './load-sdk.ts';

// The time of the first document does not include that of the SDK.
await loadSdk();

/** The program of a thread: runs one task after the other. The first message says that the thread is ready. */
parentPort?.on('message', (text: string) => {
  void runDocumentTask(JSON.parse(text) as DocumentTask).then((answer) =>
    parentPort?.postMessage({ answer }),
  );
});
parentPort?.postMessage('ready');
