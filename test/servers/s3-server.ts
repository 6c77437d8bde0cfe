import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { eventually } from '../labs/eventually.ts';
import { startProgram } from '../labs/program.ts';
import { findFreePort } from './mcp-servers.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const bucket = 'files';
const credentials = { accessKeyId: 'holdfast', secretAccessKey: 'secret-of-the-bucket' };

/**
 * Starts an S3 server with an empty bucket, as a separate process. It is reached through a proxy that can be cut off.
 * `HOLDFAST_TEST_VERSITYGW` may name the binary of Versity's S3 gateway, a server for production that also checks the
 * signature of each request.
 */
export async function startS3Server() {
  const gateway = process.env['HOLDFAST_TEST_VERSITYGW'];
  const server = await (gateway === undefined ? startNpmServer() : startGateway(gateway));
  const direct = `http://127.0.0.1:${server.port}`;
  const proxy = await startTcpProxy(direct);
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  const client = new S3Client({ region: 'us-east-1', endpoint: direct, forcePathStyle: true, credentials });
  return {
    proxy,
    settings: { bucket, region: 'us-east-1', endpoint, credentials },
    /** The variables of a Holdfast that keeps large files there. */
    environment: {
      HOLDFAST_FILES_BUCKET: bucket,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    /** The keys of all objects. */
    listObjects: async (): Promise<string[]> => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.map((object) => object.Key ?? '');
    },
    client,
    close: async () => {
      client.destroy();
      await proxy.close();
      await server.stop();
    },
  };
}

async function startNpmServer() {
  const { port, stop } = await startProgram(path.join(import.meta.dirname, 's3-program.ts'), {
    BUCKET: bucket,
  });
  return { port, stop };
}

async function startGateway(file: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-s3-'));
  for (const name of [`objects/${bucket}`, 'facts'])
    await mkdir(path.join(folder, name), { recursive: true });
  const port = await findFreePort();
  const environment = {
    ...{ ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
  };
  const [objects, facts] = ['objects', 'facts'].map((name) => path.join(folder, name));
  const words = ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', facts ?? '', objects ?? ''];
  const child = spawn(file, words, { env: { ...process.env, ...environment }, stdio: 'ignore' });
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${port}`).then(
        () => true,
        () => false,
      ),
    (answers) => answers,
  );
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  return { port, stop };
}
