import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCli, runSpawned } from '../labs/run-cli.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

const saved = fileURLToPath(new URL('../histories/completed-inspectable.json', import.meta.url));

test('histories check replays the files of a folder', async () => {
  const folder = createTemporaryFolder();
  copyFileSync(saved, path.join(folder, 'one.json'));
  expect(await runSpawned(['histories', 'check', folder])).toEqual({
    code: 0,
    stdout: 'ok      one (agentTurn)\n1 histories, 0 of them differ.\n',
    stderr: '',
  });
});

test('histories check names the event at which the code differs, and fails', async () => {
  const folder = createTemporaryFolder();
  const text = readFileSync(saved, 'utf8');
  const changed = text.replace('"name": "callModel"', '"name": "askModel"');
  expect(changed).not.toBe(text);
  writeFileSync(path.join(folder, 'one.json'), changed);
  const { code, stdout } = await runSpawned(['histories', 'check', folder]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^DIFFERS one \(agentTurn\)\n {2}.*[Nn]ondeterminism/);
  expect(stdout).toMatch(
    /event \d+, activity askModel: activityType: expected "askModel", found "callModel"/,
  );
  expect(stdout).toMatch(/\n1 histories, 1 of them differ\.\n$/);
});

test('histories check fails for a folder without histories, and for a file that is none', async () => {
  const folder = createTemporaryFolder();
  expect(await runCli(['histories', 'check', folder])).toMatchObject({
    code: 1,
    stderr: `${folder}: has no file with a history\n`,
  });
  writeFileSync(path.join(folder, 'one.json'), '{');
  const { code, stderr } = await runCli(['histories', 'check', folder]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/one\.json: is not a history: /);
});
