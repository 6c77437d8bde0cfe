import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { eventually } from '../labs/eventually.ts';
import { recordHistory } from '../labs/histories.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { hang, startScriptedServer, type ScriptedServer } from '../servers/mcp-servers.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;
let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer({ search: hang, pay: hang });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

describe.each(executionModes)('cancelling a turn in %s execution', (execution) => {
  test('while the model streams aborts the request to the model and keeps the streamed text', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ text: 'Once upon a time ', hang: true });
    const turnId = await scene.say('Tell me a long story.');
    const request = await scene.waitForRequest(1);
    await eventually(
      () => lab.readChunks(turnId),
      (chunks) => chunks.length > 0,
    );
    await lab.cancelTurn(turnId);
    await request.closed;
    const turn = await lab.waitForOutcome(turnId);

    expect(request.aborted).toBe(true);
    expect(turn).toMatchObject({ outcome: 'cancelled', error: null, iterations: 0 });
    expect(turn.answer).toMatch(/The turn was cancelled\.$/);
    expect(turn.answer).toContain('Once upon a time');
    expect(scene.requests()).toHaveLength(1);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.map(({ type }) => type)).toEqual(['turn.started', 'turn.settled']);
    await recordHistory(lab, `cancelled-${execution}`, turnId);
  });

  test('while tools run notifies their server and leaves no call open', async () => {
    const scene = await lab.scene({
      execution,
      tools: [mcpTool('search', { effect: 'read_only' }), mcpTool('pay')],
    });
    scene.reply({
      toolCalls: [
        { name: 'search', arguments: {} },
        { name: 'pay', arguments: {} },
      ],
    });
    const started = server.calls.size;
    const cancelled = server.cancelled.length;
    const turnId = await scene.say('Search and pay.');
    await eventually(
      () => server.calls.size,
      (size) => size === started + 2,
    );
    await lab.cancelTurn(turnId);
    const turn = await lab.waitForOutcome(turnId);
    await eventually(
      () => server.cancelled.length,
      (length) => length === cancelled + 2,
    );

    expect(turn.outcome).toBe('cancelled');
    expect(server.cancelled.slice(cancelled).sort()).toEqual(['pay', 'search']);
    const ledger = await eventually(
      () => lab.readLedger(turnId),
      (calls) => calls.every(({ status }) => status !== 'started'),
    );
    expect(ledger).toMatchObject([
      { name: 'search', status: 'failed', attempts: 1 },
      { name: 'pay', status: 'unknown', attempts: 1, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
    ]);
    const events = await lab.readEvents(scene.conversationId);
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'tool.unknown')).toHaveLength(1);
    expect(types.filter((type) => type === 'tool.failed')).toHaveLength(1);
    expect(types.at(-1)).toBe('turn.settled');
  });

  test('before its workflow was started ends it at its start, without a call of the model', async () => {
    const scene = await lab.scene({ execution });
    const { turnId, start } = await scene.submit('Never mind.');
    if (!start) throw new Error('the turn should be there to be started');
    await lab.cancelTurn(turnId);
    await lab.engine.startTurn(start);
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'cancelled', answer: 'The turn was cancelled.' });
    expect(scene.requests()).toHaveLength(0);
  });

  test('lets the next turn of the conversation run', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ text: 'Hm, ', hang: true }, { text: 'Good morning.' });
    const turnId = await scene.say('First.');
    await scene.waitForRequest(1);
    await lab.cancelTurn(turnId);
    await lab.waitForOutcome(turnId);
    const turn = await lab.waitForOutcome(await scene.say('Second.'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Good morning.' });
    const messages = scene.requests()[1]?.body.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });
});

test('cancelling a settled turn changes nothing', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Done.' });
  const turnId = await scene.say('Quick.');
  await lab.waitForOutcome(turnId);

  expect(await lab.cancelTurn(turnId)).toEqual({ running: false });
  expect(await lab.readTurn(turnId)).toMatchObject({ outcome: 'completed', answer: 'Done.' });
});

test('a cancel through Temporal alone, as in its Web UI, ends the turn as cancelled', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'I was about to ', hang: true });
  const turnId = await scene.say('Go on.');
  const request = await scene.waitForRequest(1);
  await lab.engine.cancelTurn(turnId);
  const turn = await lab.waitForOutcome(turnId);
  await request.closed;

  expect(turn.outcome).toBe('cancelled');
  expect(request.aborted).toBe(true);
});
