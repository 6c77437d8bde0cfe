import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordWorkflow } from '../../labs/histories.ts';
import {
  checkOrder,
  findSubtaskId,
  listToolAnswers,
  startSwarmLab,
  toCallLine,
  type SwarmLab,
} from '../../labs/swarm-scene.ts';
import type { ChatRequestBody, ScriptEntry } from '../../servers/scripted-model.ts';

let scene: SwarmLab;

beforeAll(async () => {
  scene = await startSwarmLab({ answer });
});

afterAll(() => scene.close());

const leaderFunctions = ['update_swarm_shared_state', 'end_swarm'];
const call = (name: string, input: object): ScriptEntry => ({
  toolCalls: [{ name, arguments: JSON.stringify(input) }],
});
const setSubtasks = (...set: object[]) => call('update_swarm_shared_state', { subTasks: { set } });

/** The subtask `shaky` fails on its first try, `broken` on every one. */
let shaky = 0;

/** A leader plans by the first word of its goal; a subtask is answered with its name. */
function answer(body: ChatRequestBody): ScriptEntry | undefined {
  const id = findSubtaskId(body);
  if (id === 'broken') return { status: 400, body: { error: { message: 'Broken.' } } };
  if (id === 'shaky' && (shaky += 1) === 1) return { status: 400, body: { error: { message: 'Shaky.' } } };
  if (id !== undefined) return undefined;
  const text = body.messages.filter(({ role }) => role === 'user').map(({ content }) => content ?? '');
  const last = text.at(-1) ?? '';
  const goal = /Its goal:\n(\w+)/.exec(text[0] ?? '')?.[1] ?? '';
  const told = listToolAnswers(body);
  return plans[goal]?.({ told, last, first: text.length === 1 });
}

interface Asked {
  told: string[];
  last: string;
  first: boolean;
}

const plans: Record<string, (asked: Asked) => ScriptEntry | undefined> = {
  /** Two subtasks, then a third one that depends on both, and then the end. */
  Plan: ({ told, last, first }) => {
    if (told.length > 0) return { text: first ? 'They are at work.' : 'The report is written.' };
    if (first) return setSubtasks({ id: 'read', description: 'Read.' }, { id: 'draw', description: 'Draw.' });
    if (last.includes('## write: done')) return call('end_swarm', { reason: 'The report is written.' });
    return setSubtasks({ id: 'write', description: 'Write.', depends_on: ['read', 'draw'] });
  },
  /** A subtask that fails in spite of a retry is replaced by another one. */
  Mend: ({ told, last, first }) => {
    if (told.length > 0) return { text: 'Done.' };
    if (first) {
      return setSubtasks(
        { id: 'broken', description: 'Break.' },
        { id: 'shaky', description: 'Shake.' },
        { id: 'after', description: 'Go on.', depends_on: ['broken'] },
      );
    }
    if (!last.includes('## broken: failed after 2 attempts')) return { text: 'It is mended.' };
    const change = { delete: ['broken'], set: [{ id: 'after', depends_on: ['shaky'] }] };
    return call('update_swarm_shared_state', { subTasks: change });
  },
  /** A member tells the others something, and the leader decides twice after that. */
  Tell: ({ told, last, first }) => {
    if (told.length > 0) return { text: 'At work.' };
    const message = { to: { type: 'topic', topic: 'tides' }, message: 'The tide is high.' };
    if (first)
      return setSubtasks(
        { id: 'say', description: toCallLine('send_message', message) },
        { id: 'hear', description: 'Hear.', depends_on: ['say'] },
      );
    if (last.includes('## hear: done')) return setSubtasks({ id: 'more', description: 'More.' });
    return { text: 'All is said.' };
  },
  /** A plan that is refused, and one that is accepted when the leader is asked again. */
  Stumble: ({ told, last, first }) => {
    if (told.length > 0) return { text: 'All is planned.' };
    if (first) return setSubtasks({ id: 'a', description: 'A.', depends_on: ['b'] });
    if (last.includes('## a: done')) return { text: 'A is done.' };
    return setSubtasks({ id: 'a', description: 'A.' });
  },
  /** Changes that do not fit are refused. */
  Refuse: ({ told }) => {
    if (told.length === 0) return setSubtasks({ id: 'a', description: 'A.', depends_on: ['b'] });
    if (told.length === 1)
      return setSubtasks(
        { id: 'a', description: 'A.', depends_on: ['b'] },
        { id: 'b', description: 'B.', depends_on: ['a'] },
      );
    return { text: 'I give up.' };
  },
};

describe.concurrent('a leader', () => {
  test('plans subtasks, is told of their results, and ends the swarm', async () => {
    const leader = await scene.createAgent({ name: 'Leader', functions: leaderFunctions });

    const swarm = await scene.start({ kind: 'simple', leader: leader.id, goal: 'Plan a report.' });
    const ended = await scene.waitForEnd(swarm.id);
    await recordWorkflow(scene.lab, 'swarm-with-leader', `swarm-${swarm.id}`);

    expect(ended).toMatchObject({
      status: 'completed',
      reason: 'The report is written.',
      result: 'The report is written.',
      turnsUsed: 6,
    });
    expect(ended.state.subTasks.map(({ id, status }) => `${id} ${status}`)).toEqual([
      ...['read done', 'draw done', 'write done'],
    ]);
    expect(checkOrder(ended.state.subTasks)).toEqual([]);
  });

  test('decides about a subtask that has failed twice; one that fails once is tried again', async () => {
    const leader = await scene.createAgent({ name: 'Leader', functions: leaderFunctions });

    const swarm = await scene.start({ kind: 'simple', leader: leader.id, goal: 'Mend it.' });
    const ended = await scene.waitForEnd(swarm.id);

    expect(ended).toMatchObject({ status: 'completed', result: 'It is mended.' });
    expect(ended.state.subTasks).toMatchObject([
      { id: 'shaky', status: 'done', attempts: 2 },
      { id: 'after', status: 'done', attempts: 1 },
    ]);
  });

  test('is told once what members say to a topic, and other members are told too', async () => {
    const functions = [...leaderFunctions, 'send_message'];
    const leader = await scene.createAgent({ name: 'Leader', functions });

    const swarm = await scene.start({ kind: 'simple', leader: leader.id, goal: 'Tell them.' });
    const ended = await scene.waitForEnd(swarm.id);

    expect(ended).toMatchObject({
      ...{ status: 'completed', result: 'All is said.' },
      state: { messages: [{ topic: 'tides', text: 'The tide is high.', from: { agentName: 'Leader' } }] },
    });
    const asked = scene.model.requests
      .map(({ messages }) => messages.findLast(({ role }) => role === 'user')?.content ?? '')
      .filter((text) => text.includes('Tell them.') || text.includes('Subtasks that have ended'));
    const heard = asked.filter((text) => text.includes('## tides, from Leader\nThe tide is high.'));
    expect(heard.filter((text) => text.includes('Your subtask is "hear"'))).toHaveLength(1);
    expect(heard.filter((text) => text.includes('Your subtask is "more"'))).toHaveLength(1);
    // A turn of the leader with a call makes two requests.
    expect(heard.filter((text) => text.includes('## hear: done'))).toHaveLength(2);
    expect(heard).toHaveLength(4);
  });

  test('is asked again when it has failed to make subtasks, whatever it answers', async () => {
    const leader = await scene.createAgent({ name: 'Leader', functions: leaderFunctions });

    const swarm = await scene.start({ kind: 'simple', leader: leader.id, goal: 'Stumble first.' });
    const ended = await scene.waitForEnd(swarm.id);

    expect(ended).toMatchObject({ status: 'completed', result: 'A is done.', turnsUsed: 4 });
    expect(ended.state.subTasks).toMatchObject([{ id: 'a', status: 'done' }]);
  });

  test('is told why a change is refused, and has failed when it makes no other one', async () => {
    const leader = await scene.createAgent({ name: 'Leader', functions: leaderFunctions });

    const swarm = await scene.start({ kind: 'simple', leader: leader.id, goal: 'Refuse it.' });
    const ended = await scene.waitForEnd(swarm.id);

    const reason = 'The turns of the leader have failed.';
    expect(ended).toMatchObject({ status: 'failed', reason, turnsUsed: 2, state: { subTasks: [] } });
    const asked = scene.model.requests.filter(({ messages }) => messages[1]?.content?.includes('Refuse it.'));
    const told = asked.flatMap(listToolAnswers).join('\n');
    expect(told).toContain('there is no subtask \\"b\\"');
    expect(told).toContain('expected no cycle, found a → b → a');
  });
});
