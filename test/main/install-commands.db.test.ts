import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../../src/platform/database/connect-database.ts';
import { readMigrations } from '../../src/platform/database/migration-source.ts';
import type { ApiKeyInput } from '../../src/domain/api-key.ts';
import { authenticateKey } from '../../src/modules/workspaces/keys/authenticate-key.ts';
import { issueApiKey } from '../../src/modules/workspaces/keys/create-api-key.ts';
import { createWorkspace } from '../../src/modules/workspaces/create-workspace.ts';
import { createLogin } from '../labs/database-login.ts';
import { runCli } from '../labs/run-cli.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../labs/postgres.ts';

function run(words: string[], environment: Record<string, string>) {
  return runCli(words, { environment: { HOLDFAST_DATA_DIR: '/no/such/folder', ...environment } });
}

describe('migrate', () => {
  test('makes an empty database ready as its owner, for another login of the programs', async () => {
    const database = await createEmptyDatabase();
    const login = await createLogin(database.url);
    onTestFinished(async () => {
      await database.drop();
      await login.close();
    });
    const refused = await run(['workspaces', 'create', 'Acme'], { DATABASE_URL: login.url });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Run "holdfast migrate" with DATABASE_OWNER_URL');

    const both = { DATABASE_OWNER_URL: database.url, DATABASE_URL: login.url };
    const { names } = await readMigrations();
    const migrated = await run(['migrate'], both);
    expect(migrated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        `^The database has the schema of this version now. ${names.length} migrations? ran:\n`,
      ) as string,
    });
    expect(migrated.stdout.split('\n').slice(1, -1)).toEqual(names.map((name) => `  ${name}`));
    expect(await run(['workspaces', 'create', 'Acme'], { DATABASE_URL: login.url })).toMatchObject({
      code: 0,
    });
    expect(await run(['migrate'], both)).toEqual({
      code: 0,
      stdout: 'The database has the schema of this version already: no migration was needed.\n',
      stderr: '',
    });
  });
});

describe('the time that turns of a workspace wait for a worker', () => {
  test('is set in seconds, and taken back with "default"', async () => {
    const database = await createTestDatabase();
    const opened = connectDatabase({ url: database.url, poolSize: 1 });
    onTestFinished(async () => {
      await opened.close();
      await database.drop();
    });
    const environment = { DATABASE_URL: database.url };
    const readTimeout = async () =>
      (await opened.system('workspaces').first<object>('start_timeout_ms')) as unknown;
    await run(['workspaces', 'create', 'Acme'], environment);
    const set = (seconds: string) => run(['workspaces', 'start-timeout', 'Acme', seconds], environment);

    expect(await set('90')).toMatchObject({ code: 0 });
    expect(await readTimeout()).toEqual({ start_timeout_ms: 90_000 });
    const refused = await set('0');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('expected "default" or a number from 1 to 86400, found "0"');
    expect(await set('default')).toMatchObject({ code: 0 });
    expect(await readTimeout()).toEqual({ start_timeout_ms: null });
  });
});

describe('a first workspace and key', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeEach(async () => {
    database = await createTestDatabase();
    onTestFinished(database.drop);
    environment = { DATABASE_URL: database.url };
  });

  async function authenticate(key: string) {
    const opened = connectDatabase({ url: database.url, poolSize: 1 });
    onTestFinished(opened.close);
    return authenticateKey({ database: opened }, key);
  }

  test('are created by two commands that print the id and the key alone', async () => {
    const workspace = await run(['workspaces', 'create', 'Acme Inc'], environment);
    expect(workspace.code).toBe(0);
    const id = workspace.stdout.trim();
    const scopes = 'agents:write, api_keys:write';
    const identity = ['--groups', 'finance,legal', '--acts-for', 'Ada'];
    const created = await run(
      ['api-keys', 'create', '--workspace', 'Acme Inc', '--scopes', scopes, '--name', 'first', ...identity],
      environment,
    );
    expect(created.code).toBe(0);
    expect(await authenticate(created.stdout.trim())).toMatchObject({
      workspaceId: id,
      scopes: ['agents:write', 'api_keys:write'],
      groups: ['finance', 'legal'],
      actsFor: 'Ada',
    });
    expect(created.stderr).not.toContain(created.stdout.trim());
  });

  test('are found by the id of the workspace, and the key has the default scopes', async () => {
    const { stdout: id } = await run(['workspaces', 'create', 'Acme'], environment);
    const { stdout: key } = await run(['api-keys', 'create', '--workspace', id.trim()], environment);
    const { scopes } = await authenticate(key.trim());
    expect(scopes).toContain('conversations:write');
    expect(scopes).not.toContain('api_keys:write');
  });

  test('are refused with a sentence when a name is taken, unknown, or a scope is wrong', async () => {
    await run(['workspaces', 'create', 'Acme'], environment);
    expect(await run(['workspaces', 'create', 'Acme'], environment)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^There is a workspace "Acme" already; its id is .*\n$/) as string,
    });
    expect(await run(['api-keys', 'create', '--workspace', 'Other'], environment)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no workspace "Other"') as string,
    });
    const wrong = ['api-keys', 'create', '--workspace', 'Acme', '--scopes', 'everything'];
    expect(await run(wrong, environment)).toMatchObject({
      code: 1,
      stderr:
        '--scopes: there is no scope "everything". "holdfast api-keys create --help" lists all of them.\n',
    });
    const near = [
      'api-keys',
      'create',
      '--workspace',
      'Acme',
      '--scope',
      'agents:read',
      '--scope',
      'agent:write',
    ];
    expect((await run(near, environment)).stderr).toBe(
      '--scopes: there is no scope "agent:write". Did you mean "agents:write"? ' +
        '"holdfast api-keys create --help" lists all of them.\n',
    );
  });

  test('workspaces are listed, oldest first', async () => {
    const opened = connectDatabase({ url: database.url, poolSize: 1 });
    onTestFinished(opened.close);
    const first = await createWorkspace({ database: opened }, 'Acme');
    const second = await createWorkspace({ database: opened }, 'Other');
    expect(await run(['workspaces', 'list'], environment)).toEqual({
      code: 0,
      stdout: `${first.id}  Acme\n${second.id}  Other\n`,
      stderr: '',
    });
  });
});

describe('the keys of a workspace', () => {
  const key = {
    ...{ name: 'site', scopes: ['agents:read' as const, 'agents:write' as const], groups: ['a', 'b'] },
    ...{ actsFor: 'Ada', expiresAt: '2099-01-01T00:00:00.000Z' },
  };

  async function open() {
    const database = await createTestDatabase();
    const opened = connectDatabase({ url: database.url, poolSize: 2 });
    onTestFinished(async () => {
      await opened.close();
      await database.drop();
    });
    const { id } = await createWorkspace({ database: opened }, 'Acme');
    return {
      issue: (input: ApiKeyInput) => issueApiKey({ database: opened }, id, input),
      authenticate: (text: string) => authenticateKey({ database: opened }, text),
      run: (...words: string[]) => run(['api-keys', ...words], { DATABASE_URL: database.url }),
    };
  }

  test('are listed with what they may do, their last use and their end, newest first', async () => {
    const { issue, authenticate, run: runKeys } = await open();
    const used = await issue(key);
    await authenticate(used.key);
    const unused = await issue({ name: 'other\u001b[2J', scopes: ['inbox:read'] });
    const { code, stdout } = await runKeys('list', '--workspace', 'Acme');
    const [first, second, ...rest] = stdout.split('\n');
    expect(code).toBe(0);
    expect(first).toBe(`${unused.apiKey.id}  other␛[2J  inbox:read  never used  never expires`);
    const parts = `${used.apiKey.id}  site  agents:read,agents:write  in a,b  for Ada  last used TIME  expires ${key.expiresAt}`;
    expect(second?.replace(/last used 2\S+Z/, 'last used TIME')).toBe(parts);
    expect(rest).toEqual(['']);
  });

  test('are revoked by their id, once', async () => {
    const { issue, authenticate, run: runKeys } = await open();
    const { apiKey, key: text } = await issue(key);
    expect(await runKeys('revoke', apiKey.id)).toEqual({
      code: 0,
      stdout: `The API key "site" (${apiKey.id}) is revoked, with the user tokens that it issued.\n`,
      stderr: '',
    });
    await expect(authenticate(text)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await runKeys('revoke', apiKey.id)).stdout).toMatch(/ was revoked at 2\S+Z already\.\n$/);
    expect((await runKeys('list', '--workspace', 'Acme')).stdout).toMatch(/ {2}revoked 2\S+Z\n$/);
  });

  test('are refused by an id that none has', async () => {
    const { run: runKeys } = await open();
    expect(await runKeys('revoke', 'site')).toEqual(
      expect.objectContaining({
        code: 1,
        stderr:
          'There is no API key with the id "site". "holdfast api-keys list" shows the ids of a workspace.\n',
      }),
    );
  });
});
