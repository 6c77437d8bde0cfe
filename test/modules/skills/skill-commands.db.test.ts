import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { plainAgent } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { runCli } from '../../labs/run-cli.ts';
import { packZip, teaFiles, writeInstructions } from '../../labs/skill-files.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

const api = openForTests(async () => {
  const opened = await shareApi();
  return { ...opened, close: opened.stop };
});

/** A workspace with an agent, and a folder with a skill; `run` returns the lines that a command prints. */
async function openScene() {
  const { key } = await api.createWorkspace();
  const folder = createTemporaryFolder();
  for (const [file, content] of Object.entries(teaFiles)) {
    const place = path.join(folder, 'tea-making', file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
  await api.call('POST', '/api/agents', { key, body: { ...plainAgent, name: 'Brewer' } });
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: key };
  const run = async (...words: string[]) => {
    const { stdout, stderr } = await runCli(['skills', ...words], { environment });
    if (stderr !== '') throw new Error(stderr);
    return stdout.split('\n').slice(0, -1);
  };
  return { key, run, inFolder: (...parts: string[]) => path.join(folder, ...parts) };
}

test('the commands import, list and show skills and their versions', async () => {
  const { run, inFolder } = await openScene();
  expect(await run('list')).toEqual(['The workspace has no skills.']);
  const [imported] = await run('import', inFolder('tea-making'));
  expect(imported).toMatch(
    /^Skill [0-9a-f-]+ is "tea-making" with these files in version 1: 4 files, \d+ bytes\.$/,
  );
  writeFileSync(inFolder('tea.zip'), packZip({ 'SKILL.md': writeInstructions({ body: 'Another way.' }) }));
  const [second] = await run('import', inFolder('tea.zip'));
  expect(second).toContain('in version 2: 1 files');
  const [listed] = await run('list');
  expect(listed).toMatch(/ {2}tea-making {2}version 2 {2}Makes tea\./);
  expect(await run('versions', 'tea-making')).toEqual([
    expect.stringMatching(/^version 2 {2}.* {2}1 files {2}[0-9a-f]{64}$/),
    expect.stringMatching(/^version 1 {2}.* {2}4 files {2}[0-9a-f]{64}$/),
  ]);
  expect(await run('show', 'tea-making')).toContain('Another way.');
  const first = await run('show', 'tea-making', '--skill-version', '1');
  expect(first).toContain('scripts/boil.py  text/x-python  17 bytes');
  await expect(run('import', inFolder('nothing'))).rejects.toThrow('There is no file');
  await expect(run('show', 'coffee')).rejects.toThrow('There are: tea-making.');
  await expect(run('show', 'tea-making', '--skill-version', 'x')).rejects.toThrow(
    'expected a number above 0',
  );
});

test('the commands give skills to agents, take them away and delete them', async () => {
  const { run, inFolder } = await openScene();
  await run('import', inFolder('tea-making'));
  writeFileSync(inFolder('tea-making', 'notes.md'), 'More.');
  await run('import', inFolder('tea-making'));
  const named = ['Brewer', 'tea-making'];
  expect(await run('give', ...named, '--skill-version', '1')).toEqual([
    'Agent "Brewer" uses version 1 of "tea-making" in its version 2.',
  ]);
  const remove = () => run('delete', 'tea-making', '--yes');
  await expect(remove()).rejects.toThrow(
    'Agents use the skill "tea-making": "Brewer". Take it from them first.',
  );
  expect(await run('give', ...named)).toEqual([
    'Agent "Brewer" uses version 2 of "tea-making" in its version 3.',
  ]);
  expect(await run('take', ...named)).toEqual(['Agent "Brewer" does not use "tea-making" in its version 4.']);
  await expect(run('take', ...named)).rejects.toThrow('does not use a skill');
  expect((await remove())[0]).toMatch(/^Skill "tea-making" \([0-9a-f-]+\) is deleted\.$/);
});

test('a skill is exported as it was imported, and replaces no folder', async () => {
  const { run, inFolder } = await openScene();
  await run('import', inFolder('tea-making'));
  const out = ['--out', inFolder('copies')];
  await run('export', 'tea-making', ...out);
  for (const [file, content] of Object.entries(teaFiles))
    expect(readFileSync(inFolder('copies', 'tea-making', file))).toEqual(Buffer.from(content));
  await expect(run('export', 'tea-making', ...out)).rejects.toThrow('is there already');
});

test('the program has the commands', async () => {
  const { key, inFolder } = await openScene();
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: key };
  const words = ['skills', 'import', inFolder('tea-making'), '--json'];
  const { stdout } = await runCli(words, { environment });
  expect(JSON.parse(stdout)).toMatchObject({ skill: { name: 'tea-making', version: 1 } });
});
