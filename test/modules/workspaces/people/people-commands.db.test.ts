import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openConversation, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { runCli } from '../../../labs/run-cli.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

function run(...words: string[]) {
  return runCli(words, { environment: { HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key } });
}

test('a person gets a token in the terminal, sees what is shared, and is let in no more when it ends', async () => {
  const { conversationId } = await openConversation(api);
  const issued = await run('user-tokens', 'create', 'Ann', '--role', 'viewer', '--minutes', '5', '--json');
  const { token, userToken } = JSON.parse(issued.stdout) as { token: string; userToken: { id: string } };
  const path = `/api/conversations/${conversationId}`;
  const look = async () => (await api.call('GET', path, { key: token })).status;
  expect(await look()).toBe(404);
  const share = (...options: string[]) => run('conversations', 'share', conversationId, ...options);
  expect((await share('--with', 'ANN', 'Bob')).stdout).toBe(
    `Conversation ${conversationId} is shared with ann, bob.\n`,
  );
  expect(await look()).toBe(200);
  expect((await share('--nobody')).stdout).toContain('is shared with nobody.');
  expect(await look()).toBe(404);
  expect((await share('--workspace')).stdout).toContain('is shared with the workspace.');
  expect(await look()).toBe(200);
  for (const options of [[], ['--nobody', '--workspace']])
    expect((await share(...options)).stderr).toContain('one of --with, --workspace and --nobody');

  expect((await run('user-tokens', 'end', userToken.id)).stdout).toBe(
    `User token ${userToken.id} is ended.\n`,
  );
  expect(await look()).toBe(401);
  expect((await run('user-tokens', 'create', 'Ann', '--role', 'king')).code).toBe(1);
});

test('people are listed, deactivated and let in again', async () => {
  expect((await run('people', 'list')).stdout).toBe('Nobody has signed in yet.\n');
  const id = newId();
  await api.database.system('api_keys').insert({
    ...{
      id,
      workspace_id: api.workspaceId,
      kind: 'person',
      name: 'ada@example.com',
      acts_for: 'ada@example.com',
    },
    ...{
      issuer: 'https://id.example.com',
      subject: 'ada',
      roles: ['editor'],
      scopes: [],
      secret_hash: Buffer.alloc(0),
    },
  });
  expect((await run('people', 'list')).stdout).toBe(`${id}  ada@example.com  editor\n`);
  expect((await run('people', 'deactivate', id)).stdout).toMatch(/ {2}editor {2}deactivated 2\d{3}-/);
  expect((await run('people', 'activate', id)).stdout).toBe(`${id}  ada@example.com  editor\n`);
});
