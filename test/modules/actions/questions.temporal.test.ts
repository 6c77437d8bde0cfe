import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { listWaitingTurns } from '../../../src/modules/actions/list-waiting-turns.ts';
import { agentTool } from '../../labs/child-tools.ts';
import { eventually } from '../../labs/eventually.ts';
import { askUser, calculate, clientTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
};

function ask(...asked: JsonObject[]) {
  return { toolCalls: asked.map((input) => ({ name: 'ask_user', arguments: input })) };
}

function call(name: string, input: JsonObject = {}) {
  return { toolCalls: [{ name, arguments: input }] };
}

/** The tests of a mode share a lab, and run one after the other beside those of the other mode. */
const inOrder = { concurrent: false };

describe.concurrent.each(executionModes)('in a turn in %s execution', (execution) => {
  let lab: TurnLab;

  beforeAll(async () => {
    lab = await startTurnLab();
  });
  afterAll(() => lab.close());

  test('an answer that fits the schema of its question is the result of the call', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [askUser] });
    scene.reply(ask({ question: 'Who are you?', schema: person }), { text: 'Hello, Ada.' });
    const turnId = await scene.say('Greet me.');
    const [action] = await lab.waitForActions(turnId);
    const id = action?.id ?? '';

    expect(action).toMatchObject({
      ...{ kind: 'question', tool: 'ask_user', question: 'Who are you?', schema: person, options: null },
      ...{ status: 'pending', answer: null, isError: null },
    });
    expect((await lab.readTurn(turnId)).deadlineAt).toBeNull();
    await expect(
      lab.decide(id, { decision: 'answer', answer: { name: 'Ada', age: 'old' } }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT', details: [{ field: 'answer.age' }] });
    await expect(lab.decide(id, { decision: 'approve' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: [{ field: 'decision' }],
    });
    const answer = { name: 'Ada', age: 36 };
    const decided = await lab.decide(id, { decision: 'answer', answer, actingFor: 'Ada' });
    const again = await lab.decide(id, { decision: 'answer', answer: { age: 36, name: 'Ada' } });
    await expect(
      lab.decide(id, { decision: 'answer', answer: { name: 'Ada', age: 37 } }),
    ).rejects.toMatchObject({ code: 'ACTION_DECIDED', details: { status: 'answered' } });
    const turn = await lab.waitForOutcome(turnId);

    expect(decided).toMatchObject({ status: 'answered', answer, decidedBy: { actingFor: 'Ada' } });
    // The turn may have taken up the answer meanwhile.
    expect(again).toEqual({ ...decided, redeemedAt: again.redeemedAt });
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Hello, Ada.', pendingActions: [] });
    expect(turn.toolCalls[0]).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(JSON.parse(turn.toolCalls[0]?.result ?? '')).toEqual(answer);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.find(({ type }) => type === 'action.requested')?.payload).toMatchObject({
      ...{ kind: 'question', question: 'Who are you?', schema: person, options: null },
    });
    expect(events.find(({ type }) => type === 'action.decided')?.payload).toMatchObject({
      status: 'answered',
    });
  });

  test('questions wait beside approvals, each for its own decision', inOrder, async () => {
    const scene = await lab.scene({
      execution,
      tools: [askUser, { ...calculate, settings: { approval: 'ask' } }],
    });
    const asked = ask({ question: 'Which?', options: ['red', 'blue'] }, { question: 'Why?' }).toolCalls;
    const calculated = { name: 'calculate', arguments: { expression: '1 + 1' } };
    scene.reply({ toolCalls: [...asked, calculated] }, { text: 'Done.' });
    const turnId = await scene.say('Ask me.');
    const actions = await lab.waitForActions(turnId, 3);
    const idOf = (wanted: string | null) => actions.find(({ question }) => question === wanted)?.id ?? '';

    expect(actions.find(({ question }) => question === 'Which?')?.options).toEqual(['red', 'blue']);
    await expect(lab.decide(idOf('Which?'), { decision: 'answer', answer: 'green' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: [{ field: 'answer' }],
    });
    await lab.decide(idOf('Which?'), { decision: 'answer', answer: 'blue' });
    await lab.decide(idOf(null), { decision: 'approve' });
    await lab.decide(idOf('Why?'), { decision: 'answer', answer: 'I like it.' });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls.map(({ result }) => result)).toEqual(['blue', 'I like it.', '2']);
  });

  test('a question that is declined is not asked again in its turn', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [askUser] });
    const asked = ask({ question: 'Your PIN?' });
    scene.reply(asked, asked, { text: 'Without it, then.' });
    const turnId = await scene.say('Ask me.');
    const [action] = await lab.waitForActions(turnId);
    await lab.decide(action?.id ?? '', { decision: 'reject', reason: 'None of your business.' });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Without it, then.' });
    expect(turn.toolCalls.map(({ error }) => error?.code)).toEqual(['ANSWER_DECLINED', 'ANSWER_DECLINED']);
    expect(turn.toolCalls[0]?.error?.message).toContain('None of your business.');
  });

  test('a question that nobody answers expires, and the model is told', inOrder, async () => {
    // The reminder comes after half of the time; a worker that is late by the other half does not send it.
    const scene = await lab.scene({ execution, tools: [askUser], limits: { approvalTimeoutMs: 12_000 } });
    scene.reply(ask({ question: 'Anybody?' }), { text: 'Nobody.' });
    const turn = await lab.waitForOutcome(await scene.say('Ask.'));

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Nobody.' });
    expect(turn.toolCalls).toMatchObject([
      { error: { code: 'ANSWER_EXPIRED', message: 'Nobody answered within 12 seconds.' } },
    ]);
    const types = (await lab.readEvents(scene.conversationId)).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['action.reminded', 'action.expired']));
  });

  test('a schema that cannot be used is told to the model, and nobody is asked', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [askUser] });
    const schema = { type: 'object', properties: { name: { type: 'text' } } };
    scene.reply(ask({ question: 'Who?', schema }, { question: 'Who?', schema: person, options: ['Ada'] }), {
      text: 'I cannot ask.',
    });
    const turn = await lab.waitForOutcome(await scene.say('Ask.'));

    expect(turn.toolCalls.map(({ error }) => error?.code)).toEqual([
      'INVALID_TOOL_ARGUMENTS',
      'INVALID_TOOL_ARGUMENTS',
    ]);
  });

  test(
    'the program of the caller executes the call of a client tool, and posts its result',
    inOrder,
    async () => {
      const scene = await lab.scene({ execution, tools: [clientTool('open_file')] });
      scene.reply(call('open_file', { path: 'a' }), call('open_file', { path: 'b' }), { text: 'Read.' });
      const turnId = await scene.say('Open both.');
      const [first] = await lab.waitForActions(turnId);

      expect(first).toMatchObject({ kind: 'client_tool', tool: 'open_file', arguments: { path: 'a' } });
      expect((await lab.readTurn(turnId)).toolCalls[0]).toMatchObject({ status: 'started' });
      await lab.decide(first?.id ?? '', { decision: 'answer', answer: { lines: 3 } });
      const [second] = await eventually(
        () => lab.readTurn(turnId).then(({ pendingActions }) => pendingActions),
        ([action]) => action?.arguments['path'] === 'b',
      );
      await lab.decide(second?.id ?? '', { decision: 'answer', answer: 'No such file.', isError: true });
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'completed', answer: 'Read.' });
      expect(turn.toolCalls).toMatchObject([
        { status: 'succeeded', result: '{"lines":3}', attempts: 1 },
        { status: 'failed', error: { code: 'TOOL_FAILED', message: 'No such file.' }, attempts: 1 },
      ]);
    },
  );

  test('a client tool may need an approval first', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [clientTool('wipe', { approval: 'ask' })] });
    scene.reply(call('wipe', { disk: 1 }), { text: 'Wiped.' });
    const turnId = await scene.say('Wipe.');
    const [approval] = await lab.waitForActions(turnId);
    expect(approval?.kind).toBe('approval');
    await lab.decide(approval?.id ?? '', { decision: 'approve', arguments: { disk: 2 } });
    const [clientCall] = await eventually(
      () => lab.readTurn(turnId).then(({ pendingActions }) => pendingActions),
      ([action]) => action?.kind === 'client_tool',
    );
    expect(clientCall?.arguments).toEqual({ disk: 2 });
    // The approval is decided, but the turn waits for the program: the sweeper has nothing to tell it.
    const waiting = await listWaitingTurns(lab.database.system, { graceMs: 0, limit: 100 });
    expect(waiting.find(({ id }) => id === turnId)?.decidedId ?? null).toBeNull();
    await lab.decide(clientCall?.id ?? '', { decision: 'answer', answer: 'done' });
    const turn = await lab.waitForOutcome(turnId);

    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(turn.toolCalls[0]?.result).toContain('{"disk":2}');
    expect(turn.toolCalls[0]?.result).toContain('done');
  });

  test(
    'the outcome of a client tool that never answers is unknown, unless it changes nothing',
    inOrder,
    async () => {
      const scene = await lab.scene({
        execution,
        tools: [
          clientTool('send', { timeoutMs: 3_000 }),
          clientTool('look', { timeoutMs: 3_000, effect: 'read_only' }),
        ],
      });
      scene.reply({ toolCalls: [...call('send').toolCalls, ...call('look').toolCalls] }, { text: 'Over.' });
      const turn = await lab.waitForOutcome(await scene.say('Do both.'));

      expect(turn).toMatchObject({ outcome: 'completed', answer: 'Over.' });
      expect(turn.toolCalls).toMatchObject([
        { status: 'unknown', error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
        { status: 'failed', error: { code: 'ANSWER_EXPIRED' } },
      ]);
      expect(turn.toolCalls[0]?.error?.message).toContain('did not answer within 3 seconds');
    },
  );

  test(
    'a turn that is cancelled takes back its questions, and does not know what the client did',
    inOrder,
    async () => {
      const scene = await lab.scene({ execution, tools: [askUser, clientTool('send')] });
      scene.reply({ toolCalls: [...ask({ question: 'Really?' }).toolCalls, ...call('send').toolCalls] });
      const turnId = await scene.say('Go.');
      const actions = await lab.waitForActions(turnId, 2);
      await lab.cancelTurn(turnId);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'cancelled', pendingActions: [] });
      expect(turn.toolCalls.map(({ status }) => status)).toEqual(['failed', 'unknown']);
      for (const { id } of actions) {
        await expect(lab.decide(id, { decision: 'answer', answer: 'yes' })).rejects.toMatchObject({
          code: 'ACTION_DECIDED',
          details: { status: 'cancelled' },
        });
      }
    },
  );

  test('a person who works with Temporal alone answers by the update', inOrder, async () => {
    const scene = await lab.scene({ execution, tools: [askUser] });
    scene.reply(ask({ question: 'Which?', options: ['red', 'blue'] }), { text: 'Blue it is.' });
    const turnId = await scene.say('Ask.');
    const [action] = await lab.waitForActions(turnId);
    const workflow = lab.client.workflow.getHandle(`turn-${turnId}`);
    const answer = (value: string) =>
      workflow.executeUpdate('decideAction', {
        args: [{ actionId: action?.id, decision: 'answer', answer: value }],
      });

    await expect(answer('green')).rejects.toThrow('Workflow Update failed');
    expect(await answer('blue')).toEqual({ status: 'answered' });
    expect((await lab.waitForOutcome(turnId)).toolCalls[0]?.result).toBe('blue');
  });
});

test.concurrent(
  'a question of another agent shows at the turn that was asked',
  async ({ onTestFinished }) => {
    const lab = await startTurnLab();
    onTestFinished(() => lab.close());
    const helper = await lab.scene({ tools: [askUser] });
    const top = await lab.scene({ tools: [agentTool('helper', helper.agent.id)] });
    top.reply(call('helper', { message: 'Find out.' }), { text: 'It is blue.' });
    helper.reply(ask({ question: 'Which colour?' }), { text: 'blue' });
    const turnId = await top.say('Ask your helper.');
    const [action] = await lab.waitForActions(turnId);

    expect(action).toMatchObject({ kind: 'question', question: 'Which colour?', rootTurnId: turnId });
    expect(action?.turnId).not.toBe(turnId);
    await lab.decide(action?.id ?? '', { decision: 'answer', answer: 'blue' });
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'It is blue.' });
  },
);
