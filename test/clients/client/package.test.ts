import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';
import { runTyped } from '../../labs/typed-command.ts';
import {
  answerWith,
  failWith,
  answerNoContent,
  startScriptedApi,
  streamFrames,
} from '../../servers/scripted-api.ts';
import {
  agentId,
  conversationId,
  toDeltaFrame,
  toStoredFrame,
  toSettledPayload,
  toTurn,
  turnId,
} from '../../servers/scripted-events.ts';

const nodeModules = path.resolve('node_modules');

/** A project that has nothing but the packed client and its one dependency. */
async function createProject(): Promise<string> {
  const folder = createTemporaryFolder();
  await runTyped(`npm pack -w @holdfast/client --pack-destination '${folder}'`);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball';
  const client = path.join(folder, 'node_modules/@holdfast/client');
  mkdirSync(client, { recursive: true });
  await runTyped(`tar -xzf '${path.join(folder, tarball)}' --strip-components=1 -C '${client}'`);
  const { dependencies } = JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies)).toEqual(['eventsource-parser']);
  symlinkSync(
    path.join(nodeModules, 'eventsource-parser'),
    path.join(folder, 'node_modules/eventsource-parser'),
  );
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return folder;
}

/** Type-checks a program as a browser's would be, without the types of Node. */
async function checkTypes(folder: string, source: string): Promise<void> {
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'] },
    ...{ types: [], strict: true, exactOptionalPropertyTypes: true, noEmit: true },
  };
  writeFileSync(path.join(folder, 'program.ts'), source);
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts'] }),
  );
  await runTyped(`'${process.execPath}' '${path.join(nodeModules, 'typescript/bin/tsc')}' -p '${folder}'`);
}

it('the client package works on its own, as its README shows', { timeout: 120_000 }, async () => {
  const folder = await createProject();
  const api = await startScriptedApi({
    'GET /api/agents': answerWith({ agents: [{ id: agentId }], nextCursor: null }),
    'POST /api/conversations': answerWith({ conversation: { id: conversationId } }, 201),
    [`POST /api/conversations/${conversationId}/turns`]: answerWith({ turn: toTurn() }, 202),
    [`GET /api/turns/${turnId}/events`]: [
      streamFrames([
        toDeltaFrame([1, 1], 'Good day.'),
        toStoredFrame([2, 1], 'turn.settled', toSettledPayload('Good day.')),
      ]),
      answerNoContent(),
    ],
    'GET /api/agents/no-such-agent': failWith(404, { code: 'NOT_FOUND', message: 'There is no such agent.' }),
  });
  const readme = readFileSync('src/clients/client/README.md', 'utf8');
  const [, snippet = ''] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  const source = [
    `const apiKey = '${api.apiKey}';`,
    snippet.replace('http://127.0.0.1:3400', api.baseUrl),
    '// @ts-expect-error The types of the package are there: an id is no number.',
    'const wrong: number = conversationId;',
  ].join('\n');
  await checkTypes(folder, source);
  const printed = await runTyped(`'${process.execPath}' program.ts`, { cwd: folder });
  expect(printed).toBe('Good day.\nNOT_FOUND There is no such agent.\n');
  expect(readme.split('\n').length).toBeLessThanOrEqual(40);
});
