// Program: stopping.ts. Waits until it is asked to stop, and prints the reason.
import { listenForStop } from '../../../../src/main/dev/stop-requests.ts';

const signal = listenForStop(() => undefined);
const waiting = setInterval(() => undefined, 1000);
signal.addEventListener('abort', () => {
  clearInterval(waiting);
  console.log((signal.reason as Error).message);
});
process.send?.('ready');
