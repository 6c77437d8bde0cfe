import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { HoldfastApiError } from '../../../src/clients/client/index.ts';
import { agentTool, defineAgent, functionTool } from '../../../src/clients/code/index.ts';
import { eventually } from '../../labs/eventually.ts';
import { startHoldfast, type TestHoldfast } from '../../../src/clients/testing/index.ts';

const variables = { HOLDFAST_TEMPORAL_CLI: inject('temporalBinary') };

const clerk = defineAgent({
  name: 'Clerk',
  model: 'anthropic/claude-haiku-4-5',
  instructions: 'You calculate.',
  tools: [functionTool('calculate')],
});
const cashier = defineAgent({
  name: 'Cashier',
  model: 'demo',
  instructions: 'You calculate what is refunded.',
  tools: [functionTool('calculate', { name: 'refund', approval: 'ask' })],
});
const treasurer = defineAgent({
  name: 'Treasurer',
  model: 'demo',
  instructions: 'You calculate what finance has approved.',
  tools: [
    functionTool('calculate', {
      approval: 'ask',
      settings: { approvers: ['finance'], selfApproval: false },
    }),
  ],
});
const boss = defineAgent({
  name: 'Boss',
  model: 'openai/gpt-5-mini',
  // The script answers for every model, so that a test needs none of their connections.
  fallbackModels: [{ model: 'openai/gpt-5', modelConnection: 'The key of production' }],
  instructions: 'You ask the clerk.',
  tools: [agentTool({ name: 'ask_clerk', agent: clerk })],
});

let holdfast: TestHoldfast;
beforeAll(async () => {
  holdfast = await startHoldfast({ agents: [boss, clerk, cashier, treasurer], variables });
});
afterAll(() => holdfast.stop());

describe('startHoldfast', () => {
  it('gives each call of the model the next step of the script, whichever agent makes it', async () => {
    const before = holdfast.requests.length;
    holdfast.script(
      { text: 'I ask.', calls: [{ name: 'ask_clerk', arguments: { message: 'What is 6 * 7?' } }] },
      { calls: [{ name: 'calculate', arguments: { expression: '6 * 7' } }] },
      ({ messages }) => ({ text: `It is ${messages.at(-1)?.content ?? 'nothing'}.` }),
      ({ messages }) => ({ text: `The clerk says: ${messages.at(-1)?.content ?? 'nothing'}` }),
    );
    const turn = await holdfast.ask(boss, 'How much is it?');
    expect(turn).toMatchObject({ outcome: 'completed', answer: 'The clerk says: It is 42.' });
    expect(turn.toolCalls.map(({ name, status }) => ({ name, status }))).toEqual([
      { name: 'ask_clerk', status: 'succeeded' },
    ]);
    const [first, second] = holdfast.requests.slice(before);
    expect(first?.messages[0]?.content).toContain('You ask the clerk.');
    expect(second?.tools?.map(({ function: { name } }) => name)).toEqual(['calculate']);
  });

  it('continues a conversation', async () => {
    holdfast.script({ text: 'Hello.' });
    const { conversationId } = await holdfast.ask('Clerk', 'Hello!');
    holdfast.script(({ messages }) => ({ text: `${messages.length}` }));
    const { answer } = await holdfast.ask('Clerk', 'How many messages?', { conversationId });
    // Instructions, question, answer, question.
    expect(answer).toBe('4');
  });

  it('answers with an object', async () => {
    holdfast.script({ json: { pieces: 3 } });
    const responseSchema = {
      type: 'object',
      properties: { pieces: { type: 'integer' } },
      required: ['pieces'],
    };
    const { answerJson } = await holdfast.ask(clerk, 'How many pieces?', { responseSchema });
    expect(answerJson).toEqual({ pieces: 3 });
  });

  it('fails a turn whose model is asked once more than the script has answers', async () => {
    const { outcome, error } = await holdfast.ask(clerk, 'Hello!');
    expect(outcome).toBe('failed');
    expect(error?.message).toContain('The script of the model has no step');
  });

  it('fails a turn whose step throws, with the error', async () => {
    holdfast.script(() => {
      throw new Error('expected another question');
    });
    const { outcome, error } = await holdfast.ask(clerk, 'Hello!');
    expect(outcome).toBe('failed');
    expect(error?.message).toContain('expected another question');
  });

  it('asks before a tool runs whose approval stands beside its settings', async () => {
    holdfast.script(
      { calls: [{ name: 'refund', arguments: { expression: '80 + 0' } }] },
      { text: 'Not refunded.' },
    );
    const asked = holdfast.ask(cashier, 'Refund 80 dollars.');
    const { client } = holdfast;
    const [action] = await eventually(
      async () => (await client.pendingActions.list()).items,
      (actions) => actions.length === 1,
    );
    expect(action).toMatchObject({ kind: 'approval', tool: 'refund', arguments: { expression: '80 + 0' } });
    const waiting = await client.turns.get(action?.turnId ?? '');
    expect(waiting.toolCalls).toMatchObject([{ name: 'refund', status: 'requested', attempts: 0 }]);
    await client.pendingActions.decide(action?.id ?? '', { decision: 'reject' });
    expect((await asked).toolCalls).toMatchObject([
      { name: 'refund', status: 'failed', error: { code: 'APPROVAL_REJECTED' } },
    ]);
  });

  it('gives each of several questions its own answers, also to the agents that it asks', async () => {
    const questions = ['6 * 7', '2 * 4'].map((expression) => {
      holdfast.script(
        { calls: [{ name: 'ask_clerk', arguments: { message: expression } }] },
        { calls: [{ name: 'calculate', arguments: { expression } }] },
        ({ messages }) => ({ text: messages.at(-1)?.content ?? 'nothing' }),
        ({ messages }) => ({ text: messages.at(-1)?.content ?? 'nothing' }),
      );
      return holdfast.ask(boss, expression);
    });
    const turns = await Promise.all(questions);
    expect(turns.map(({ answer }) => answer)).toEqual(['42', '8']);
  });

  it('gives turns that no question has started the answers that no question has taken', async () => {
    const { client } = holdfast;
    const { items } = await client.agents.list();
    const agentId = items.find(({ name }) => name === 'Clerk')?.id ?? '';
    const { id: conversationId } = await client.conversations.create({ agentId });
    holdfast.script({ text: 'For my program.' });
    const { id } = await client.turns.start({ conversationId, message: 'Hello!' });
    expect(await client.turns.wait(id)).toMatchObject({ answer: 'For my program.' });
  });

  it('refuses fields that its options and its script do not have', async () => {
    const options = { agents: [clerk], varibles: {} };
    await expect(startHoldfast(options)).rejects.toThrow(
      'varibles: unknown field: did you mean "variables"?',
    );
    const answer = { text: 'Hello.', call: [] };
    expect(() => holdfast.script(answer)).toThrow('call: unknown field: did you mean "calls"?');
    const question: object = { onActions: () => undefined };
    await expect(holdfast.ask(clerk, 'Hello!', question)).rejects.toThrow('did you mean "onAction"?');
    const somebody: object = { group: ['finance'] };
    await expect(holdfast.as(somebody)).rejects.toThrow('did you mean "groups"?');
  });

  it('names an agent that it was not started with', async () => {
    await expect(holdfast.ask('Nobody', 'Hello!')).rejects.toThrow('The agent "Nobody" is none of those');
  });
});

describe('somebody in a test', () => {
  const decision = { decision: 'approve' } as const;
  const calculation = { calls: [{ name: 'calculate', arguments: { expression: '80 + 0' } }] };

  it('approves when in a group of approvers, and is refused when in another one', async () => {
    const finance = await holdfast.as({ groups: ['finance', 'legal'] });
    const support = await holdfast.as({ groups: ['support'] });
    holdfast.script(calculation, { text: 'Refunded.' });
    const turn = await holdfast.ask(treasurer, 'Refund 80 dollars.', {
      onAction: async ({ id }) => {
        const refused = support.pendingActions.decide(id, decision);
        await expect(refused).rejects.toMatchObject({ code: 'NOT_AN_APPROVER' });
        await finance.pendingActions.decide(id, decision);
      },
    });
    expect(turn.toolCalls).toMatchObject([{ name: 'calculate', status: 'succeeded', result: '80' }]);
  });

  it('does not approve what the same person has asked for, with any key', async () => {
    const [ann, sameAnn, bob] = await Promise.all(
      ['ann', 'Ann', 'bob'].map((person) => holdfast.as({ person, groups: ['finance'] })),
    );
    holdfast.script(calculation, { text: 'Not refunded.' });
    const turn = await holdfast.ask(treasurer, 'Refund 80 dollars.', {
      ...(ann && { as: ann }),
      onAction: async ({ id }) => {
        const refused = sameAnn?.pendingActions.decide(id, decision);
        await expect(refused).rejects.toMatchObject({ code: 'SELF_APPROVAL_REFUSED' });
        await bob?.pendingActions.decide(id, { decision: 'reject', reason: 'Too much.' });
      },
    });
    expect(turn.toolCalls).toMatchObject([{ status: 'failed', error: { code: 'APPROVAL_REJECTED' } }]);
  });

  it('may do what its scopes say', async () => {
    const reader = await holdfast.as({ scopes: ['conversations:read'] });
    await expect(reader.conversations.list()).resolves.toMatchObject({ nextCursor: null });
    await expect(reader.agents.list()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('has a name that a group may have', async () => {
    await expect(holdfast.as({ groups: ['finance!'] })).rejects.toThrow('--groups');
  });

  it('fails the question when deciding fails', async () => {
    holdfast.script(calculation);
    const asked = holdfast.ask(treasurer, 'Refund 80 dollars.', {
      onAction: ({ id }) => holdfast.client.pendingActions.decide(id, decision),
    });
    await expect(asked).rejects.toThrow(HoldfastApiError);
    await expect(asked).rejects.toMatchObject({ code: 'NOT_AN_APPROVER' });
  });
});

describe('stop', () => {
  it('ends everything, aborts what waits, and names answers that no call has taken', async () => {
    holdfast.script({ text: 'Left by a test that failed.' });
    holdfast.script({ calls: [{ name: 'refund', arguments: { expression: '80 + 0' } }] }, { text: 'Never.' });
    // Nobody awaits this question, as after an assertion that failed.
    void holdfast.ask(cashier, 'Refund 80 dollars.');
    const { client } = holdfast;
    const [action] = await eventually(
      async () => (await client.pendingActions.list()).items,
      (actions) => actions[0]?.tool === 'refund',
    );
    const waiting = client.turns.wait(action?.turnId ?? '');
    const stopped = expect(waiting).rejects.toThrow('Holdfast was stopped.');
    await expect(holdfast.stop()).rejects.toThrow(
      'The model was not asked for the last 2 answers of its script.\n  1 for no question\n  1 for "Refund 80 dollars."',
    );
    await stopped;
    expect(holdfast.log()).toContain('Everything is stopped.');
    await expect(fetch(holdfast.url)).rejects.toThrow();
  });
});
