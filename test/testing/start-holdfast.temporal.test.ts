import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { agentTool, defineAgent, functionTool } from '../../src/code/index.ts';
import { eventually } from '../labs/eventually.ts';
import { startHoldfast, type TestHoldfast } from '../../src/testing/index.ts';

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
  holdfast = await startHoldfast({ agents: [boss, clerk, cashier], variables });
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
    holdfast.script({ text: 'Hello.' }, ({ messages }) => ({ text: `${messages.length}` }));
    const { conversationId } = await holdfast.ask('Clerk', 'Hello!');
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

  it('refuses fields that its options and its script do not have', async () => {
    const options = { agents: [clerk], varibles: {} };
    await expect(startHoldfast(options)).rejects.toThrow(
      'varibles: unknown field: did you mean "variables"?',
    );
    const answer = { text: 'Hello.', call: [] };
    expect(() => holdfast.script(answer)).toThrow('call: unknown field: did you mean "calls"?');
  });

  it('names an agent that it was not started with', async () => {
    await expect(holdfast.ask('Nobody', 'Hello!')).rejects.toThrow('The agent "Nobody" is none of those');
  });

  it('stops everything at the end, and names answers that no call has taken', async () => {
    holdfast.script({ text: 'Never asked for.' });
    await expect(holdfast.stop()).rejects.toThrow(
      'The model was not asked for the last 1 answers of its script.',
    );
    expect(holdfast.log()).toContain('Everything is stopped.');
    await expect(fetch(holdfast.url)).rejects.toThrow();
  });
});
