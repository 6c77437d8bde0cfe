import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/domain/agent.ts';
import { skillBounds } from '../../src/domain/skill.ts';
import { skillPageCharacters } from '../../src/domain/skill-tools.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

const page = readPage('docs/skills.md');

test('the files and commands of docs/skills.md give an agent a skill that its turn reads', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await shareTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    ...{ name: 'Support', model: 'compatible/scripted', instructions: 'Help customers.' },
  });
  const cwd = createTemporaryFolder();
  for (const { file, text } of page.blocks) {
    if (file === undefined) continue;
    mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
    writeFileSync(path.join(cwd, file), `${text}\n`);
  }
  const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;
  const variables = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  const printed: string[] = [];
  for (const { command } of listCommands(page))
    printed.push(await runTyped(command.replaceAll('npx holdfast', program), { cwd, variables }));
  const [commands = '', answered = ''] = printed;
  expect(commands).toContain('is "refund-policy" with these files in version 1: 2 files');
  expect(commands).toContain('Agent "Support" uses version 1 of "refund-policy" in its version 2.');
  expect(commands).toContain('references/exceptions.md  text/markdown');
  // The archive has the files that the folder has.
  expect(JSON.parse(answered)).toMatchObject({ data: { skill: { version: 1 }, version: { version: 1 } } });

  const reference = 'references/exceptions.md';
  lab.model.reply(
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'refund-policy' } }] },
    { toolCalls: [{ name: 'read_skill_resource', arguments: { skill: 'refund-policy', path: reference } }] },
    { text: 'Yes.' },
  );
  const { toolCalls } = await api.say(agent.id, 'Can I return a broken lamp?');
  expect(toolCalls.map(({ result }) => result)).toEqual([
    expect.stringContaining('An order of the last 14 days is refunded whole.'),
    expect.stringContaining('Damaged goods are refunded within 2 years.'),
  ]);
});

test('docs/skills.md has the bounds that the program has', () => {
  const { files, fileBytes, bytes, instructionBytes, frontMatterBytes } = skillBounds;
  const mebibyte = 1024 * 1024;
  expect(page.text).toContain(
    `at most ${files} files of ${fileBytes / mebibyte} MiB and ${bytes / mebibyte} MiB together, ` +
      `${instructionBytes / 1024} KiB in \`SKILL.md\` and ${frontMatterBytes / 1024} KiB of front matter`,
  );
  expect(page.text).toContain(`${skillPageCharacters.toLocaleString('en-US')} characters`);
});
