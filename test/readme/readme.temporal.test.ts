import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TurnDetails } from '../../src/domain/turn.ts';
import { eventually } from '../labs/eventually.ts';
import { linkProject } from './linked-package.ts';
import { listProvenBlocks } from './readme-blocks.ts';
import { provenPages } from './readme-proofs.ts';
import { openConversation, startReadmeScene, type ReadmeScene } from './readme-scene.ts';
import { patienceMs } from './started-project.ts';
import { readPage } from './tool-pages.ts';

let scene: ReadmeScene;
beforeAll(async () => {
  scene = await startReadmeScene(linkProject);
}, patienceMs);
afterAll(() => scene.stop());

describe('README.md', { timeout: patienceMs }, () => {
  it.each(listProvenBlocks(provenPages.filter(([page]) => page === 'README.md')))(
    'has a block that works: $firstLine',
    async ({ block, prove }) => {
      if (prove === undefined) throw new Error(`No test proves this block:\n${block.text}`);
      await prove(block, scene);
    },
  );

  it('leads to no other program', () => {
    const key = scene.variables['HOLDFAST_API_KEY'] ?? '';
    expect(scene.others.requests().filter((request) => request.includes(key))).toEqual([]);
  });
});

describe('npm start', { timeout: patienceMs }, () => {
  const { blocks } = readPage('docs/agents-as-code.md');

  it('pushes the agents of docs/agents-as-code.md', async () => {
    const [, printed = ''] =
      /^```\n(\+ Parcels.*?)\n```$/ms.exec(readFileSync('docs/agents-as-code.md', 'utf8')) ?? [];
    expect(printed.split('\n')).toHaveLength(4);
    await scene.start.printed('Pushed Support: version 1.');
    // The page shows paths as in the folder of the project.
    const shown = scene.start.output().replaceAll(`${scene.folder}/`, '');
    for (const line of printed.split('\n')) expect(shown).toContain(`push   | ${line}\n`);
  });

  it('runs a function that was saved at the next call, and pushes its description', async () => {
    const text = blocks.find(({ file }) => file === 'functions/shipping.ts')?.text ?? '';
    expect(JSON.stringify(await askForPrice())).toContain('6');
    save('functions/prices/base.ts', 'export const base = 40;');
    save(
      'functions/shipping.ts',
      `import { base } from './prices/base.ts';\n${text.replace('4 +', 'base +').replace('Tells', 'Knows')}`,
    );
    await scene.start.printed('Pushed Parcels: version 2.');
    expect(JSON.stringify(await askForPrice())).toContain('42');
    expect(scene.start.output()).not.toContain('ended with');
  });

  it('names a file that cannot be used with its line, and loads and pushes its next save', async () => {
    const agent = blocks.find(({ file }) => file === 'agents/parcels.ts')?.text ?? '';
    save('functions/prices/base.ts', 'export const base = ;');
    await scene.start.printed('Functions stay as they were');
    expect(scene.start.output()).toMatch(/Functions stay as they were: \S*base\.ts:1 cannot be loaded/);
    save('agents/parcels.ts', '\n\nconst broken = {{ 1;');
    await scene.start.printed('agents/parcels.ts:3 cannot be loaded');
    save('functions/prices/base.ts', 'export const base = 90;');
    await eventually(askForPrice, (result) => JSON.stringify(result).includes('92'));
    save('agents/parcels.ts', agent.replace('what parcels cost', 'what parcels cost today'));
    await scene.start.printed('Pushed Parcels: version 3.');
  });
});

/** Saves a file as an editor does. */
function save(file: string, text: string): void {
  const saved = path.join(scene.folder, file);
  mkdirSync(path.dirname(saved), { recursive: true });
  writeFileSync(saved, `${text}\n`);
}

/** Makes the demo model call the function, and returns its result. */
async function askForPrice(): Promise<unknown> {
  const turns = `/api/conversations/${await openConversation(scene, 'Parcels')}/turns?wait=true`;
  const message = 'use shipping_price with {"kilograms": 2}';
  const { turn } = (await scene.user.request(turns, { message })) as { turn: TurnDetails };
  return turn.toolCalls[0]?.result;
}
