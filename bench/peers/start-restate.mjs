import { createServer } from 'node:http2';
import path from 'node:path';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEndpointHandler } from '@restatedev/restate-sdk';
import { toBareEnvironment } from '../../src/main/dev/bare-environment.ts';
import { findFreePort } from '../../src/main/dev/ports.ts';
import { startProcess } from '../../src/main/dev/processes.ts';

const startTimeoutMs = 60_000;
const pollMs = 100;

/** Starts a Restate server whose services are in this process. Returns the address of its ingress. */
export async function startRestate(folder, services) {
  const [ingress, admin, node] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const server = await startProcess({
    name: 'Restate',
    file: findServer(),
    arguments: ['--no-logo', '--listen-mode', 'tcp', '--base-dir', path.join(folder, 'restate')],
    environment: {
      ...toBareEnvironment(process.env),
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_DISABLE_TELEMETRY: 'true',
      DO_NOT_TRACK: '1',
    },
    output: { logFile: path.join(folder, 'restate.log') },
  });
  const endpoint = createServer(createEndpointHandler({ services, logger: () => undefined }));
  await new Promise((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  await register(`http://127.0.0.1:${admin}`, `http://127.0.0.1:${endpoint.address().port}`);
  return {
    url: `http://127.0.0.1:${ingress}`,
    process: { name: 'engine', pid: server.pid },
    close: async () => {
      await server.stop();
      endpoint.close();
    },
  };
}

/** Registers the endpoint, again and again until the server is ready. */
async function register(admin, uri) {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const response = await fetch(`${admin}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri }),
    }).catch(() => undefined);
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`Restate is not ready: ${await response?.text()}`);
    await sleep(pollMs);
  }
}

/** The package of the server leads to one for each platform, which holds the binary. */
function findServer() {
  const resolve = createRequire(
    createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json'),
  );
  const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  return path.join(path.dirname(resolve.resolve(`${platform}/package.json`)), 'bin', 'restate-server');
}
