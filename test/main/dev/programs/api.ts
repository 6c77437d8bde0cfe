// Stands in for the API: answers its readiness address, and ends when asked to.
import { createServer } from 'node:http';

const server = createServer((_request, response) => response.end('ready'));
server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.({ type: 'ready' }));
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
