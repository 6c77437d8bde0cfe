// Program: joining.ts <api|worker>. Joins the `npm start` of the data folder, prints its settings, and waits.
import { loadConfig } from '../../../../src/main/config.ts';
import { joinRunning, type ProgramName } from '../../../../src/main/running.ts';

const config = joinRunning(loadConfig(), process.argv[2] as ProgramName);
console.log(JSON.stringify({ port: config.http.port, allowLoopback: config.allowLoopback }));
setInterval(() => undefined, 1000);
process.on('SIGTERM', () => process.exit(0));
