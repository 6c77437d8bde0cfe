import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { fetchTurnHistory, listScheduledActivities } from '../../labs/histories.ts';
import { calculate, mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { withoutPlaces } from '../../labs/turn-grounds.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';
import { startTcpProxy, type TcpProxy } from '../../servers/tcp-proxy.ts';

/** The prepared statements of a turn's steps, by the names under which Postgres knows them. */
const stepStatements = [
  'find_turn_step',
  'list_turn_context',
  'store_turn_answer',
  'claim_tool_call',
  'finish_tool_call',
  'settle_turn',
  // Without budgets nothing is reserved, and no turn is locked for its costs.
  'lock_budgets',
  'reserve_credits_of_turn',
  'lock_turn_of_tool_call',
];

describe('the workflow of a direct turn', () => {
  let proxy: TcpProxy;
  let lab: TurnLab;
  let server: ScriptedServer;
  let sent = '';

  beforeAll(async () => {
    proxy = await startTcpProxy(inject('postgresUrl'), (bytes) => {
      sent += bytes.toString('latin1');
    });
    server = await startScriptedServer({ report: () => textResult('a result '.repeat(5_000)) });
    const mcpServers = { lab: { url: server.url } };
    lab = await startTurnLab({ databasePort: proxy.port, mcpServers, environment: withoutPlaces });
  });

  afterAll(async () => {
    await lab.close();
    await Promise.all([server.close(), proxy.close()]);
  });

  /** Counts how often each statement was executed: its name stands in the message that binds its parameters. */
  function countStatements(): Record<string, number> {
    const counts = stepStatements.map((name) => [name, sent.split(`\0${name}\0\0`).length - 1] as const);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  test('of three tool rounds is read once, and stores each answer with the claims of its calls', async () => {
    const scene = await lab.scene({ execution: 'direct', tools: [calculate] });
    const call = (expression: string) => ({
      toolCalls: [{ name: 'calculate', arguments: { expression } }],
    });
    scene.reply(call('1 + 1'), call('2 + 1'), call('3 + 1'), { text: 'Four.' });
    sent = '';
    const turn = await lab.waitForOutcome(await scene.say('Count to four.'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Four.', iterations: 4 });
    const history = await fetchTurnHistory(lab, turn.id);
    expect(listScheduledActivities(history)).toEqual(['runTurn']);
    expect(countStatements()).toEqual({
      find_turn_step: 1,
      list_turn_context: 1,
      store_turn_answer: 4,
      finish_tool_call: 3,
    });
    expect(await readEventTypes(scene.conversationId)).toEqual([
      'turn.started',
      ...Array.from({ length: 3 }, () => ['message.created', 'tool.started', 'tool.executed']).flat(),
      'message.created',
      'turn.settled',
    ]);
  });

  async function readEventTypes(conversationId: string): Promise<string[]> {
    const events = await lab.readEvents(conversationId);
    return events.map(({ type }) => type);
  }

  test('shows the model in its own rounds what later turns read from the database', async () => {
    const scene = await lab.scene({ execution: 'direct', tools: [calculate, mcpTool('report')] });
    const odd = {
      zebra: 1,
      b: { '10': 'x', '9': '\u0000', é: [{ longer: 1.5, a: null }] },
      expression: '1e21',
    };
    scene.reply(
      {
        text: 'Half a pair \ud800 here.',
        toolCalls: [
          { name: 'report', arguments: odd },
          { name: 'calculate', arguments: { wrong: true, expression: '1 +' } },
          { name: 'nobody', arguments: {} },
        ],
      },
      { toolCalls: [{ name: 'report', arguments: {} }] },
      { text: 'Done.' },
      { text: 'Again.' },
    );
    await lab.waitForOutcome(await scene.say('Look around.'));
    await lab.waitForOutcome(await scene.say('Once more.'));
    const [, , third, later] = scene.requests().map(({ body }) => body.messages);

    expect(third?.length).toBeGreaterThan(6);
    // As text, since a provider's cache of prompts compares bytes.
    expect(JSON.stringify(later?.slice(0, third?.length))).toBe(JSON.stringify(third));
  });

  test('leaves out the same old turns while it runs as a turn that reads each of its steps', async () => {
    const sent = new Map<string, unknown[]>();
    for (const execution of executionModes) {
      const scene = await lab.scene({ execution, tools: [calculate], limits: { contextCharacters: 2_000 } });
      const sum = { name: 'calculate', arguments: { expression: '1 + 1' } };
      const say = async (text: string) => lab.waitForOutcome(await scene.say(text));
      scene.reply({ text: 'a'.repeat(600) }, { text: 'b'.repeat(600) });
      await say('First.');
      await say('Second.');
      const rounds = ['c', 'd', 'e'].map((letter) => ({ text: letter.repeat(500), toolCalls: [sum] }));
      scene.reply(...rounds, { text: 'Done.' });
      await say('Third.');
      sent.set(
        execution,
        scene.requests().map(({ body }) => body.messages.map(({ role, content }) => ({ role, content }))),
      );
    }

    const lengths = sent.get('direct')?.map((messages) => (messages as unknown[]).length);
    // Each round adds two messages; the third request is without the first turn, and the fourth without the second.
    expect(lengths?.slice(2)).toEqual([6, 8, 8, 8]);
    expect(sent.get('direct')).toEqual(sent.get('inspectable'));
  });
});
