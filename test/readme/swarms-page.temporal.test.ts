import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { swarmChangeSchema, swarmLimitsSchema, swarmStatuses } from '../../src/domain/swarm.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { typeCommand } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

const page = readPage('docs/swarms.md');
const text = readFileSync('docs/swarms.md', 'utf8');

test('the commands of docs/swarms.md start a swarm that ends with the results of its subtasks', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await shareTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const cwd = createTemporaryFolder();
  const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;
  const variables = { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  const [start] = listCommands(page);
  const command = start?.command.replace('npx holdfast', program);

  await using typed = typeCommand(command ?? '', { cwd, variables });
  const code = await typed.ended;

  expect(code, typed.output()).toBe(0);
  expect(typed.output()).toContain('is completed: All subtasks are done.');
  expect(typed.output()).toMatch(/^ {2}page {2}done {2}after facts, title {2}\S/m);
});

test('docs/swarms.md shows a change that is valid, and every status and limit', () => {
  const blocks = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(
    ([, json = '']) => JSON.parse(json) as object,
  );
  const changes = blocks.filter((block) => 'subTasks' in block);
  expect(changes).toHaveLength(1);
  expect(swarmChangeSchema.safeParse(changes[0])).toMatchObject({ success: true });
  const rows = new Set([...text.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name));
  const named = [...swarmStatuses, ...Object.keys(swarmLimitsSchema.shape)];
  expect(named.filter((name) => !rows.has(name))).toEqual([]);
});
