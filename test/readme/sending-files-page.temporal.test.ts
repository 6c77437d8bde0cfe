import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startLabApi } from '../labs/lab-api.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { runTyped, typeCommand } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

/** A project with `holdfast/client`. */
function createProject(): string {
  const folder = createTemporaryFolder();
  const packages = path.join(folder, 'node_modules');
  mkdirSync(path.join(packages, 'holdfast'), { recursive: true });
  symlinkSync(path.resolve('node_modules', '@types'), path.join(packages, '@types'));
  symlinkSync(path.resolve('src/clients/client'), path.join(packages, 'holdfast', 'client'));
  const manifest = { name: 'holdfast', type: 'module', exports: { './client': './client/index.ts' } };
  writeFileSync(path.join(packages, 'holdfast', 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return folder;
}

test('the examples of docs/sending-files.md work as they are written', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await shareTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const page = readPage('docs/sending-files.md');
  const variables = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  const folder = createProject();

  const [send] = listCommands(page);
  const answered = await runTyped(send?.command ?? '', { variables, cwd: folder });
  expect(answered.trim()).toBe(send?.printed);

  for (const { file, text } of page.blocks)
    if (file !== undefined) writeFileSync(path.join(folder, file), text);
  await using typed = typeCommand(`'${process.execPath}' ask.ts`, { cwd: folder, variables });
  expect(await typed.ended, typed.output()).toBe(0);
  expect(typed.output()).toContain('2. the file "visitors.csv" (text/csv, 23 bytes)');
});
