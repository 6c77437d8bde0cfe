import { describe, expect, it } from 'vitest';
import { roles, toScopesOfRoles } from '../../src/domain/role.ts';
import { scopes } from '../../src/domain/scope.ts';
import { packageVersion } from '../../src/main/package-version.ts';
import { runCli, runSpawned, toEnvironment } from '../labs/run-cli.ts';
import { answerWith, startScriptedApi } from '../servers/scripted-api.ts';

/** A module that makes the program which imports it fail when it loads a database library. */
const refuseDatabase = `import { registerHooks } from 'node:module';
registerHooks({
  resolve: (specifier, context, next) => {
    if (['knex', 'pg'].includes(specifier)) throw new Error('It loads ' + specifier + '.');
    return next(specifier, context);
  },
});`;
const withoutDatabase = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(refuseDatabase)}`,
};

/** Prints the packages that a program has loaded when it ends. */
const printPackages = `import { registerHooks } from 'node:module';
const loaded = new Set();
registerHooks({
  load: (url, context, next) => {
    const [, name] = url.match(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/) ?? [];
    if (name !== undefined) loaded.add(name);
    return next(url, context);
  },
});
process.on('exit', () => console.error([...loaded].sort().join(' ')));`;

describe('holdfast', () => {
  it('loads few packages for a command that asks the API', async () => {
    const api = await startScriptedApi({ 'GET /api/agents': answerWith({ items: [], nextCursor: null }) });
    const { stderr } = await runSpawned(['agents', 'list'], {
      environment: {
        ...toEnvironment(api),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(printPackages)}`,
      },
    });
    expect(stderr).toBe('commander eventsource-parser zod\n');
  });

  it('loads no package for its version, and the one that parses options for its help', async () => {
    const load = `--import=data:text/javascript,${encodeURIComponent(printPackages)}`;
    const environment = { NODE_OPTIONS: load };
    expect((await runSpawned(['--version'], { environment })).stderr).toBe('\n');
    for (const words of [['--help'], ['help', 'turns'], ['triggers', 'create', '--help']])
      expect((await runSpawned(words, { environment })).stderr).toBe('commander\n');
  });

  it('prints its version', async () => {
    const { stdout } = await runCli(['--version']);
    expect(stdout).toBe(`${packageVersion}\n`);
  });

  it('lists the commands of the API and those of the administrator in one help text', async () => {
    const { code, stdout } = await runCli(['--help']);
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}holdfast ([a-z-]+(?: [a-z-]+)?)/gm)].map(([, words]) => words);
    expect(listed).toEqual([
      'chat',
      'turns show',
      'turns model-calls',
      'turns cancel',
      'turns list',
      'conversations list',
      'conversations export',
      'conversations import',
      'conversations share',
      'conversations fork',
      'conversations compare',
      'conversations context',
      'actions list',
      'actions approve',
      'actions reject',
      'actions answer',
      'actions link',
      'actions remembered',
      'actions forget',
      'webhooks list',
      'webhooks create',
      'webhooks rotate',
      'webhooks delete',
      'webhooks deliveries',
      'webhooks resend',
      'replay',
      'replays list',
      'replays show',
      'replays pause',
      'replays resume',
      'replays cancel',
      'replays report',
      'schedules list',
      'schedules show',
      'schedules create',
      'schedules pause',
      'schedules resume',
      'schedules run',
      'schedules backfill',
      'schedules delete',
      'triggers list',
      'triggers show',
      'triggers create',
      'triggers pause',
      'triggers resume',
      'triggers rotate-secret',
      'triggers retry',
      'triggers delete',
      'routines list',
      'routines create',
      'routines show',
      'routines delete',
      'routines run',
      'routine-runs list',
      'routine-runs show',
      'routine-runs watch',
      'routine-runs pause',
      'routine-runs resume',
      'routine-runs stop',
      'resources list',
      'resources show',
      'resources create',
      'resources update',
      'resources versions',
      'resources delete',
      'resources restore',
      'skills list',
      'skills import',
      'skills show',
      'skills versions',
      'skills export',
      'skills give',
      'skills take',
      'skills delete',
      'budgets list',
      'budgets create',
      'budgets update',
      'budgets delete',
      'budgets shares',
      'usage',
      'swarms start',
      'swarms list',
      'swarms show',
      'swarms update',
      'swarms pause',
      'swarms resume',
      'swarms end',
      'changes',
      'audit list',
      'people list',
      'people deactivate',
      'people activate',
      'user-tokens create',
      'user-tokens end',
      'workspace show',
      'agents list',
      'agents rename',
      'agents delete',
      'push',
      'pull',
      'dev',
      'histories note',
      'histories check',
      'api',
      'worker',
      'audit verify',
      'migrate',
      'workspaces create',
      'workspaces list',
      'workspaces start-timeout',
      'workspaces max-turns',
      'workspaces weight',
      'workspaces routine-steps',
      'workspaces routine-hours',
      'workspaces routine-credits',
      'workspaces approval',
      'workspaces delete',
      'workspaces retention',
      'api-keys create',
      'api-keys list',
      'api-keys revoke',
      'keys rotate',
      'histories export',
    ]);
  });

  it('lists the scopes in the help of commands that give them', async () => {
    const { stdout: keys } = await runCli(['api-keys', 'create', '--help']);
    for (const scope of scopes) expect(keys).toContain(`  ${scope}\n`);
    const { stdout: tokens } = await runCli(['user-tokens', 'create', '--help']);
    for (const role of roles)
      expect(tokens).toContain(`  ${role.padEnd(10)}${toScopesOfRoles([role]).join(' ')}\n`);
  });

  it('loads the database code for the commands of the administrator only', async () => {
    const api = await startScriptedApi({ 'GET /api/agents': answerWith({ agents: [], nextCursor: null }) });
    const environment = { ...toEnvironment(api), ...withoutDatabase };
    expect(await runSpawned(['agents', 'list'], { environment })).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await runSpawned(['audit', 'verify'], { environment });
    expect(code).toBe(1);
    expect(stderr).toContain('It loads knex.');
  });

  it('refuses the address of an API for a command of the database', async () => {
    const result = await runCli(['audit', 'verify', '--url', 'http://127.0.0.1:9']);
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: 'This command calls no API: --url and --key cannot be used. Set DATABASE_URL instead.\n',
    });
  });
});
