import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startCodeLab, type CodeScene } from '../../labs/code-scene.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { teaFiles, writeInstructions, type SkillFiles } from '../../labs/skill-files.ts';

const lab = openForTests(startCodeLab);
let scene: CodeScene;

beforeEach(async () => {
  scene = await lab.openScene();
});

const skillOf = (agent: string, name = 'tea-making') => scene.inProject('agents', agent, 'skills', name);

function writeFiles(folder: string, files: SkillFiles): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
}

const readAgent = async () => (await scene.listAgents()).find(({ name }) => name === 'Researcher');

test('a push imports the skills beside the file of an agent, and shows what differs', async () => {
  scene.writeResearcher();
  writeFiles(skillOf('researcher'), {
    ...teaFiles,
    'scripts/steep.mjs': 'throw new Error("nobody runs this");\n',
  });
  expect(await scene.holdfast('push')).toMatchObject({ code: 0, stderr: '' });
  const first = await readAgent();
  expect(first?.skills).toMatchObject([{ name: 'tea-making', version: 1 }]);
  expect((await scene.holdfast('push')).out).toEqual(['Nothing to push. The same as in the files: 1 agent.']);

  writeFiles(skillOf('researcher'), { 'references/leaves.md': '# Leaves\n\nBlack tea needs 100 degrees.\n' });
  rmSync(path.join(skillOf('researcher'), 'scripts'), { recursive: true });
  writeFiles(skillOf('researcher', 'coffee'), { 'SKILL.md': writeInstructions({ name: 'coffee' }) });
  const plan = await scene.holdfast('push', '--dry-run');
  expect(plan).toMatchObject({ code: 2 });
  expect(plan.out).toEqual([
    '~ Researcher: version 1 → 2 (agents/researcher.ts)',
    '    ~ skill tea-making: references/leaves.md',
    '    - skill tea-making: scripts/boil.py',
    '    - skill tea-making: scripts/steep.mjs',
    '    + skill coffee',
    'Nothing was pushed. A push would change 1 agent.',
  ]);
  expect((await readAgent())?.version).toBe(1);
  await scene.holdfast('push');
  const second = await readAgent();
  expect(second).toMatchObject({
    version: 2,
    skills: [
      { name: 'coffee', version: 1 },
      { name: 'tea-making', version: 2 },
    ],
  });
  expect(second?.instructions).toBe(first?.instructions);

  rmSync(scene.inProject('agents', 'researcher'), { recursive: true });
  expect((await scene.holdfast('push')).out).toEqual([
    '~ Researcher: version 2 → 3 (agents/researcher.ts)',
    '    - skill coffee',
    '    - skill tea-making',
    'Pushed Researcher: version 3.',
  ]);
  expect((await readAgent())?.skills).toEqual([]);
});

test('a pull writes the skills of an agent as they were pushed', async () => {
  scene.writeResearcher();
  writeFiles(skillOf('researcher'), teaFiles);
  await scene.holdfast('push');
  expect((await scene.holdfast('pull')).out).toEqual(['The same as in the workspace: 1 agent.']);
  await scene.holdfast('pull', '--agents', 'pulled');
  for (const [file, content] of Object.entries(teaFiles)) {
    const pulled = readFileSync(scene.inProject('pulled', 'researcher', 'skills', 'tea-making', file));
    expect(pulled).toEqual(Buffer.from(content));
  }
  expect((await scene.holdfast('push', '--agents', 'pulled', '--dry-run')).out).toEqual(['No difference.']);

  writeFiles(skillOf('researcher'), { 'references/leaves.md': 'Changed here.', 'notes.md': 'New.' });
  expect(await scene.holdfast('pull')).toMatchObject({
    code: 1,
    out: ['! agents/researcher.ts: Researcher differs from the workspace; --force replaces it'],
  });
  expect(existsSync(path.join(skillOf('researcher'), 'notes.md'))).toBe(true);
  expect(await scene.holdfast('pull', '--force')).toMatchObject({ code: 0 });
  expect(existsSync(path.join(skillOf('researcher'), 'notes.md'))).toBe(false);
  expect((await scene.holdfast('push', '--dry-run')).out).toEqual(['No difference.']);
});

test('two agents may have skills of one name with other files, and keep them', async () => {
  scene.writeResearcher();
  scene.write(
    'brewer.ts',
    "export default defineAgent({ name: 'Brewer', model: 'demo', instructions: 'Brew.' });",
  );
  writeFiles(skillOf('researcher'), teaFiles);
  writeFiles(skillOf('brewer'), { 'SKILL.md': writeInstructions({ body: 'Another way.' }) });
  await scene.holdfast('push');
  const pins = (await scene.listAgents()).map(({ skills }) => skills.map(({ version }) => version));
  expect(pins.flat().sort()).toEqual([1, 2]);
  expect((await scene.holdfast('push', '--dry-run')).out).toEqual(['No difference.']);
});

test('skills that cannot be pushed are refused before anything is', async () => {
  scene.writeResearcher();
  mkdirSync(skillOf('researcher'), { recursive: true });
  expect((await scene.holdfast('push')).stderr).toContain('is no skill: expected a file SKILL.md in it.');
  writeFiles(skillOf('researcher'), { 'SKILL.md': writeInstructions() });
  symlinkSync('/etc/hostname', path.join(skillOf('researcher'), 'notes.md'));
  expect((await scene.holdfast('push')).stderr).toContain(
    'notes.md cannot be part of a skill: it is no file.',
  );
  rmSync(path.join(skillOf('researcher'), 'notes.md'));
  scene.write(
    'researcher.ts',
    "export const one = defineAgent({ name: 'One', model: 'demo', instructions: '' });",
    "export const two = defineAgent({ name: 'Two', model: 'demo', instructions: '' });",
  );
  expect((await scene.holdfast('push')).stderr).toContain('give the agent with skills a file of its own');
  expect(await scene.listAgents()).toEqual([]);
  scene.writeResearcher();
  writeFiles(skillOf('researcher'), { 'SKILL.md': writeInstructions({ name: 'coffee' }) });
  expect((await scene.holdfast('push')).stderr).toContain('expected the name of its folder, "tea-making"');
});
