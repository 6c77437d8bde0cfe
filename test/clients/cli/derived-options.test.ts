import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/clients/client/generated/operations.ts';
import { resourceTree } from '../../../src/clients/client/generated/resource-tree.ts';
import { commandTables } from '../../../src/main/command-tables.ts';
import { createProgram } from '../../../src/main/create-program.ts';
import { runCli, toEnvironment } from '../../labs/run-cli.ts';
import { answerWith, startScriptedApi } from '../../servers/scripted-api.ts';

const agentId = '01a0b0c0-0000-4000-8000-000000000001';
const agents = [{ id: agentId, name: 'Support', model: 'demo', version: 3, tools: [] }];
const webhooks = ['one', 'two', 'three'].map((id) => ({
  ...{ id, url: 'https://receiver.example', events: ['turn.settled'], disabledReason: null },
}));
const schedule = { id: 's-1' };

async function open() {
  const api = await startScriptedApi({
    'GET /api/agents': answerWith({ agents, nextCursor: null }),
    'GET /api/pending-actions': answerWith({ actions: [], nextCursor: null }),
    'GET /api/turns': answerWith({ turns: [], nextCursor: null }),
    'GET /api/webhooks': answerWith({ webhooks: webhooks.slice(0, 2), nextCursor: 'more' }),
    'POST /api/schedules': answerWith({ schedule }, 201),
    'POST /api/triggers': answerWith(
      { trigger: { id: 't-1', url: '/', hasSecret: true }, secret: null },
      201,
    ),
  });
  const run = (...words: string[]) => runCli(words, { environment: toEnvironment(api) });
  return { api, run };
}

describe('the options of a command that follow from its operation', () => {
  it('are the fields of the query', async () => {
    const { api, run } = await open();
    expect(await run('actions', 'list', '--kind', 'question', '--turn', 'turn-1')).toMatchObject({ code: 0 });
    expect(api.to('GET /api/pending-actions').map(({ query }) => query)).toEqual([
      { kind: 'question', turnId: 'turn-1', limit: '100' },
    ]);
  });

  it('are the fields of the body, beside those of the command', async () => {
    const { api, run } = await open();
    const message = ['--message', 'Hello', '--cron', '0 9 * * *'];
    await run('schedules', 'create', 'Report', ...message, '--paused', '--catch-up-ms', '5000');
    expect(api.to('POST /api/schedules').map(({ body }) => body)).toEqual([
      {
        ...{ name: 'Report', times: { cron: '0 9 * * *' }, action: { kind: 'turn', message: 'Hello' } },
        ...{ paused: true, catchUpMs: 5000 },
      },
    ]);
  });

  it('stop a list at so many items', async () => {
    const { api, run } = await open();
    expect((await run('webhooks', 'list', '--limit', '2')).stdout.split('\n')).toHaveLength(3);
    expect(api.to('GET /api/webhooks')).toHaveLength(1);
    expect((await run('webhooks', 'list', '--limit', 'some')).stderr).toBe(
      '--limit is "some": expected a number above 0, or "all".\n',
    );
  });

  it('take an agent by its name, and ask for no agents when an id is given', async () => {
    const { api, run } = await open();
    await run('turns', 'list', '--agent', 'support');
    await run('turns', 'list', '--agent', agentId);
    expect(api.to('GET /api/turns').map(({ query }) => query['agentId'])).toEqual([agentId, agentId]);
    expect(api.to('GET /api/agents')).toHaveLength(1);
  });

  it('refuse what is no value of the field, and send nothing', async () => {
    const { api, run } = await open();
    const create = ['triggers', 'create', 'Triage', '--provider', 'custom', '--agent', agentId];
    const wrong = async (...options: string[]) => (await run(...create, ...options)).stderr;
    expect(await wrong('--max-per-minute', 'many')).toBe('--max-per-minute is "many": expected a number.\n');
    expect(await wrong('--rule', '{')).toBe('--rule is not JSON.\n');
    expect(api.to('POST /api/triggers')).toHaveLength(0);
    await run(...create, '--rule', '{"signature":{}}', '--max-per-minute', '7');
    expect(api.to('POST /api/triggers').map(({ body }) => body)).toMatchObject([
      { rule: { signature: {} }, maxPerMinute: 7, events: ['*'] },
    ]);
  });
});

describe('the rows of all commands', () => {
  it('call operations that the client has, with a word or an option for each id in the path', async () => {
    const named = JSON.stringify(resourceTree);
    for (const { load } of commandTables)
      for (const [usage, row] of Object.entries((await load()).commands)) {
        if (typeof row === 'string' || row.run || row.call || row.operation === undefined) continue;
        expect(named).toContain(`"${row.operation}"`);
        const ids = operations[row.operation].path.match(/\{/g) ?? [];
        const words = row.path ?? usage.match(/<\w+>/g) ?? [];
        expect({ usage, isFilled: words.length >= ids.length }).toEqual({ usage, isFilled: true });
      }
  });

  it('have no option of the program, which would take its value', async () => {
    const program = await createProgram('1.0.0');
    const all = (command: Command): Command[] => command.commands.flatMap((one) => [one, ...all(one)]);
    const ofProgram = new Set(program.options.flatMap(({ long, short }) => [long, short]));
    const taken = all(program).flatMap((command) =>
      command.options.filter(({ long, short }) => ofProgram.has(long) || (short && ofProgram.has(short))),
    );
    expect(taken.map(({ flags }) => flags)).toEqual([]);
  });
});
