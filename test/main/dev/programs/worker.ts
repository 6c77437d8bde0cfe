// Stands in for the worker: says that it is ready, and ends when asked to.
setInterval(() => undefined, 1000);
process.send?.({ type: 'ready' });
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
