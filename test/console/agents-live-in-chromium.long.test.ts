import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainAgent, type Api } from '../labs/api-lab.ts';
import { startConsole, type ConsoleLab } from '../labs/console-lab.ts';
import { shareApi } from '../labs/shared-api.ts';

let lab: ConsoleLab;
let api: Api;

beforeAll(async () => {
  lab = await startConsole();
  api = await shareApi();
});
afterAll(() => lab.stop());

/** Creates an agent as another program does. */
async function createAgent(name: string): Promise<string> {
  const { status, data } = await api.call('POST', '/api/agents', { body: { ...plainAgent, name } });
  expect(status).toBe(201);
  return data.agent.id;
}

test('pages that stay open show new agents, versions and deletions of others', async () => {
  const id = await createAgent('Watched');
  // The page of the agent reads it anew when it is deleted.
  const versions = await lab.open(api, `/agents/${id}?tab=versions`, { expected: ['404'] });
  await versions.getByRole('heading', { name: 'Version 1' }).waitFor();
  const list = await lab.open(api, '/agents');
  await list.getByRole('link', { name: 'Watched' }).waitFor();
  expect((await api.call('PATCH', `/api/agents/${id}`, { body: { name: 'Watched again' } })).status).toBe(
    200,
  );
  await versions.getByRole('heading', { name: 'Watched again' }).waitFor();
  await versions.getByRole('link', { name: /^Version 2 .* by / }).waitFor();
  await list.getByRole('link', { name: 'Watched again' }).waitFor();
  await createAgent('Made elsewhere');
  await list.getByRole('link', { name: 'Made elsewhere' }).waitFor();
  expect((await api.call('DELETE', `/api/agents/${id}`)).status).toBe(200);
  await list.getByRole('link', { name: 'Watched again' }).waitFor({ state: 'detached' });
});
