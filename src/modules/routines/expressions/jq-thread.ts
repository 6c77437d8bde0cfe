import { parentPort } from 'node:worker_threads';
import { loadJq } from 'jq-wasm';
import { runJqTask, type JqAnswer, type JqTask } from './jq-task.ts';

let jq = await loadJq();

/** The program of a thread. The first message says that it is ready. */
parentPort?.on('message', (text: string) => {
  void answer(JSON.parse(text) as JqTask).then((result) => parentPort?.postMessage({ answer: result }));
});
parentPort?.postMessage('ready');

/** A jq that ran out of memory cannot be used again. */
async function answer(task: JqTask): Promise<JqAnswer> {
  try {
    return runJqTask(jq, task);
  } catch (error) {
    jq = await loadJq();
    return { problem: `jq broke: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown'}` };
  }
}
