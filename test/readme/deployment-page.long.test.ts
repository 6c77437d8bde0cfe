import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { followDeployment } from './deployment.ts';
import { readBlocks } from './readme-blocks.ts';
import { patienceMs } from './started-project.ts';

test('the first installation of docs/deployment.md runs a turn', { timeout: patienceMs }, async () => {
  const page = readFileSync('docs/deployment.md', 'utf8');
  const find = (start: string) => readBlocks(page).find(({ firstLine }) => firstLine === start)?.text ?? '';
  const outcome = await followDeployment({
    roles: find('CREATE ROLE holdfast_app;'),
    install: find(
      'export DATABASE_URL=postgres://holdfast_program:password@db:5432/holdfast TEMPORAL_ADDRESS=temporal:7233',
    ),
    programs: find('npx holdfast api'),
  });
  expect(outcome).toBe('completed');
});
