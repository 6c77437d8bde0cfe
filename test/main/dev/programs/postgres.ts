// Program: postgres.ts <data folder> [stop|die]. Starts the embedded Postgres, prints its url, and ends by the argument.
import { startEmbeddedPostgres } from '../../../../src/main/dev/embedded-postgres.ts';

const [, , dataDir = '', ending] = process.argv;

const postgres = await startEmbeddedPostgres({
  dataDir,
  environment: process.env,
  say: () => undefined,
  preferredPort: 0,
});
console.log(JSON.stringify({ url: postgres.url, pid: postgres.process.pid }));
if (ending === 'die') process.kill(process.pid, 'SIGKILL');
await postgres.stop();
