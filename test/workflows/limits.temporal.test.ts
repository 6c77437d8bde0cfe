import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { recordHistory } from '../labs/histories.ts';
import { calculate, mcpTool } from '../labs/lab-tools.ts';
import { hang, startScriptedServer, type ScriptedServer } from '../servers/mcp-servers.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;
let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer({ wait: hang });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

function addOne(number: number) {
  return { toolCalls: [{ name: 'calculate', arguments: { expression: `${number} + 1` } }] };
}

describe.concurrent.each(executionModes)('in %s execution', (execution) => {
  test('a turn at its limit of iterations is asked once more without tools', async () => {
    const scene = await lab.scene({ execution, tools: [calculate], limits: { maxIterations: 2 } });
    scene.reply(addOne(1), addOne(2), { text: 'I got as far as 3.' });
    const turn = await lab.waitForOutcome(await scene.say('Count for ever.'));

    expect(turn).toMatchObject({
      outcome: 'iteration_limit',
      status: 'iteration_limit',
      answer: 'I got as far as 3.',
      iterations: 3,
      toolCalls: [{ status: 'succeeded' }, { status: 'succeeded' }],
    });
    const [first, second, last] = scene.requests();
    expect(first?.body.tools).toHaveLength(1);
    expect(second?.body.tools).toHaveLength(1);
    expect(last?.body.tools ?? []).toEqual([]);
    expect(last?.body.messages[0]?.content).toContain('without tools');
    await recordHistory(lab, `iteration-limit-${execution}`, turn.id);
  });

  test('a turn whose model is still answering at the deadline ends with what it has said', async () => {
    // A third of it is left for settling; no sweeper runs here that would settle a turn after that.
    const scene = await lab.scene({ execution, limits: { turnTimeoutMs: 15_000 } });
    scene.reply({ text: 'The first chapter ', hang: true });
    const turn = await lab.waitForOutcome(await scene.say('Write a novel.'));

    expect(turn).toMatchObject({ outcome: 'timed_out', error: { code: 'TURN_TIMED_OUT' } });
    expect(turn.answer).toContain('The first chapter');
    expect(turn.answer).toContain('The turn was stopped after its time limit of 15 seconds.');
    expect(scene.requests()).toHaveLength(1);
    await scene.requests()[0]?.closed;
    expect(scene.requests()[0]?.aborted).toBe(true);
    await recordHistory(lab, `timed-out-${execution}`, turn.id);
  });

  test('a turn whose tool is still running at the deadline says so in the ledger', async () => {
    const scene = await lab.scene({
      execution,
      tools: [mcpTool('wait')],
      limits: { turnTimeoutMs: 9_000 },
    });
    scene.reply({ toolCalls: [{ name: 'wait', arguments: {} }] });
    const turn = await lab.waitForOutcome(await scene.say('Wait for it.'));

    expect(turn).toMatchObject({ outcome: 'timed_out', iterations: 1 });
    const [call] = await lab.readLedger(turn.id);
    expect(call).toMatchObject({ status: 'unknown', attempts: 1, error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
    expect((await lab.readEvents(scene.conversationId)).at(-1)).toMatchObject({
      type: 'turn.settled',
      payload: { outcome: 'timed_out' },
    });
  });
});

test.concurrent('ten iterations are the default', async () => {
  const scene = await lab.scene({ tools: [calculate] });
  scene.reply(...Array.from({ length: 10 }, (_, index) => addOne(index)), { text: 'Ten rounds are enough.' });
  const turn = await lab.waitForOutcome(await scene.say('Count.'));

  expect(turn).toMatchObject({
    outcome: 'iteration_limit',
    iterations: 11,
    answer: 'Ten rounds are enough.',
  });
  expect(turn.toolCalls).toHaveLength(10);
  expect(scene.requests()).toHaveLength(11);
});
