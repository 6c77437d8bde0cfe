import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../../src/main/dev/ports.ts';
import type { FileFacts } from '../../src/domain/file.ts';
import { eventually } from '../labs/eventually.ts';
import { createBytes, startFileScene } from '../labs/file-scene.ts';
import { runTyped, typeCommand } from '../labs/typed-command.ts';
import { createClientProject } from './client-project.ts';
import { listCommands, readPage } from './tool-pages.ts';

const page = readPage('docs/files.md');

/** A project with the files of the page. */
function createProject(): string {
  const folder = createClientProject();
  for (const { file, text } of page.blocks)
    if (file !== undefined) writeFileSync(path.join(folder, file), text);
  return folder;
}

test('the requests and the program of docs/files.md work as they are written', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await startFileScene();
  stack.defer(scene.close);
  const cwd = createProject();
  const variables = { HOLDFAST_URL: scene.api.url, HOLDFAST_API_KEY: scene.api.key };
  const [upload, use] = listCommands(page);
  const shown = page.blocks.find(({ language }) => language === 'json');
  const uploaded = JSON.parse(await runTyped(upload?.command ?? '', { cwd, variables })) as {
    data: { file: FileFacts };
  };
  const { file } = uploaded.data;
  const { data } = JSON.parse(shown?.text ?? '') as typeof uploaded;
  expect(file).toEqual({ ...data.file, id: file.id, createdAt: file.createdAt });
  const used = await runTyped(use?.command ?? '', { cwd, variables: { ...variables, FILE: file.id } });
  expect(used).toContain('"deleted":true');
  expect((await scene.download(file.id)).status).toBe(404);

  const printed = await runTyped(`'${process.execPath}' files.ts`, { cwd, variables });
  expect(printed).toContain('text/csv city,visitors\nParis,48\nRome,37\n');
  expect(await scene.countRows()).toEqual({ files: 0, pieces: 0 });
});

/** Answers as `clamd` does to INSTREAM: pieces behind their length, ended by one of length 0. */
function answerAsClamd(socket: Socket): void {
  let received = Buffer.alloc(0);
  const pieces: Buffer[] = [];
  socket
    .on('error', () => undefined)
    .on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const command = 'zINSTREAM\0';
      if (pieces.length === 0 && received.toString('latin1', 0, command.length) === command)
        received = received.subarray(command.length);
      while (received.length >= 4 && received.length >= 4 + received.readUInt32BE()) {
        const length = received.readUInt32BE();
        if (length === 0) {
          const isBad = Buffer.concat(pieces).includes('EICAR');
          socket.end(isBad ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0');
          return;
        }
        pieces.push(received.subarray(4, 4 + length));
        received = received.subarray(4 + length);
      }
    });
}

test('the scanner of docs/files.md asks clamd for the verdict', async () => {
  await using stack = new AsyncDisposableStack();
  const clamd = createServer(answerAsClamd).listen(0, '127.0.0.1');
  await once(clamd, 'listening');
  stack.defer(() => void clamd.close());
  const port = await findFreePort();
  const variables = {
    PORT: String(port),
    CLAMD: `127.0.0.1:${(clamd.address() as AddressInfo).port}`,
  };
  const scanner = stack.use(
    typeCommand(`'${process.execPath}' scanner.js`, { cwd: createProject(), variables }),
  );
  const url = `http://127.0.0.1:${port}/`;
  const isReady = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await eventually(isReady, (ready) => ready);
  const scene = await startFileScene({ HOLDFAST_FILE_SCANNER_URL: url });
  stack.defer(scene.close);
  expect((await scene.upload(createBytes(5_000_000))).status).toBe(201);
  const bad = Buffer.concat([createBytes(900_000), Buffer.from('EICAR')]);
  const refused = await scene.upload(bad);
  expect([refused.status, refused.error.code, refused.error.details]).toEqual([
    422,
    'FILE_REFUSED',
    { reason: 'Eicar-Test-Signature' },
  ]);
  expect(scanner.output()).toBe('');
});
