import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import * as commands from '../../../src/modules/skills/commands/skill-commands.ts';
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
  const client = createHoldfastClient({ baseUrl: api.url, apiKey: key });
  const run = async (command: (services: Parameters<typeof commands.listSkills>[0]) => Promise<unknown>) => {
    const lines: string[] = [];
    const terminal = { line: (text = '') => void lines.push(text) };
    await command({ client, terminal } as unknown as Parameters<typeof commands.listSkills>[0]);
    return lines;
  };
  return { key, run, inFolder: (...parts: string[]) => path.join(folder, ...parts) };
}

test('the commands import, list and show skills and their versions', async () => {
  const { run, inFolder } = await openScene();
  expect(await run((to) => commands.listSkills(to, {}))).toEqual(['The workspace has no skills.']);
  const [imported] = await run((to) => commands.importSkill(to, inFolder('tea-making'), {}));
  expect(imported).toMatch(
    /^Skill [0-9a-f-]+ is "tea-making" with these files in version 1: 4 files, \d+ bytes\.$/,
  );
  writeFileSync(inFolder('tea.zip'), packZip({ 'SKILL.md': writeInstructions({ body: 'Another way.' }) }));
  const [second] = await run((to) => commands.importSkill(to, inFolder('tea.zip'), {}));
  expect(second).toContain('in version 2: 1 files');
  const [listed] = await run((to) => commands.listSkills(to, {}));
  expect(listed).toMatch(/ {2}tea-making {2}version 2 {2}Makes tea\./);
  expect(await run((to) => commands.listVersions(to, 'tea-making', {}))).toEqual([
    expect.stringMatching(/^version 2 {2}.* {2}1 files {2}[0-9a-f]{64}$/),
    expect.stringMatching(/^version 1 {2}.* {2}4 files {2}[0-9a-f]{64}$/),
  ]);
  expect(await run((to) => commands.showSkill(to, 'tea-making', {}))).toContain('Another way.');
  const first = await run((to) => commands.showSkill(to, 'tea-making', { skillVersion: '1' }));
  expect(first).toContain('scripts/boil.py  text/x-python  17 bytes');
  await expect(run((to) => commands.importSkill(to, inFolder('nothing'), {}))).rejects.toThrow(
    'There is no file',
  );
  await expect(run((to) => commands.showSkill(to, 'coffee', {}))).rejects.toThrow('There are: tea-making.');
  await expect(run((to) => commands.showSkill(to, 'tea-making', { skillVersion: 'x' }))).rejects.toThrow(
    'expected a number above 0',
  );
});

test('the commands give skills to agents, take them away and delete them', async () => {
  const { run, inFolder } = await openScene();
  await run((to) => commands.importSkill(to, inFolder('tea-making'), {}));
  writeFileSync(inFolder('tea-making', 'notes.md'), 'More.');
  await run((to) => commands.importSkill(to, inFolder('tea-making'), {}));
  const named = { agent: 'Brewer', skill: 'tea-making' };
  expect(await run((to) => commands.giveSkill(to, named, { skillVersion: '1' }))).toEqual([
    'Agent "Brewer" uses version 1 of "tea-making" in its version 2.',
  ]);
  const remove = () => run((to) => commands.deleteSkill(to, 'tea-making', { yes: true }));
  await expect(remove()).rejects.toThrow(
    'Agents use the skill "tea-making": "Brewer". Take it from them first.',
  );
  expect(await run((to) => commands.giveSkill(to, named, {}))).toEqual([
    'Agent "Brewer" uses version 2 of "tea-making" in its version 3.',
  ]);
  expect(await run((to) => commands.takeSkill(to, named, {}))).toEqual([
    'Agent "Brewer" does not use "tea-making" in its version 4.',
  ]);
  await expect(run((to) => commands.takeSkill(to, named, {}))).rejects.toThrow('does not use a skill');
  expect((await remove())[0]).toMatch(/^Skill "tea-making" \([0-9a-f-]+\) is deleted\.$/);
});

test('a skill is exported as it was imported, and replaces no folder', async () => {
  const { run, inFolder } = await openScene();
  await run((to) => commands.importSkill(to, inFolder('tea-making'), {}));
  const options = { out: inFolder('copies') };
  await run((to) => commands.exportSkill(to, 'tea-making', options));
  for (const [file, content] of Object.entries(teaFiles))
    expect(readFileSync(inFolder('copies', 'tea-making', file))).toEqual(Buffer.from(content));
  await expect(run((to) => commands.exportSkill(to, 'tea-making', options))).rejects.toThrow(
    'is there already',
  );
});

test('the program has the commands', async () => {
  const { key, inFolder } = await openScene();
  const environment = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: key };
  const words = ['skills', 'import', inFolder('tea-making'), '--json'];
  const { stdout } = await runCli(words, { environment });
  expect(JSON.parse(stdout)).toMatchObject({ skill: { name: 'tea-making', version: 1 } });
});
