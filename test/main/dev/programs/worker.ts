// Stands in for the worker: says that it is ready, and ends when asked to. With WORKER_ENDS_AFTER_STARTS it ends at once when it was
// started more often than that.
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';

const starts = path.join(process.env['HOLDFAST_DATA_DIR'] ?? '.', 'starts-of-worker');
appendFileSync(starts, '.');
const most = Number(process.env['WORKER_ENDS_AFTER_STARTS'] ?? Infinity);
if (readFileSync(starts, 'utf8').length > most) process.exit(1);
setInterval(() => undefined, 1000);
process.send?.({ type: 'ready' });
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
