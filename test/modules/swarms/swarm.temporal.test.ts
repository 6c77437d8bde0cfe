import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgentRepository } from '../../../src/modules/agents/agent-repository.ts';
import { swarmInputSchema } from '../../../src/domain/swarm.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createSwarm } from '../../../src/modules/swarms/create-swarm.ts';
import { checkOrder, startSwarmLab, type SwarmLab } from '../../labs/swarm-scene.ts';

let scene: SwarmLab;

beforeAll(async () => {
  scene = await startSwarmLab();
});

afterAll(() => scene.close());

describe.concurrent('a swarm', () => {
  test('runs subtasks after those that they depend on, each with their results', async () => {
    const agent = await scene.createAgent();
    const swarm = await scene.start({
      kind: 'rich',
      goal: 'Write a report.',
      subtasks: [
        { id: 'read', description: 'Read the sources.', assignee: agent.id },
        { id: 'draw', description: 'Draw a picture.', assignee: agent.id },
        { id: 'write', description: 'Write it.', assignee: agent.id, depends_on: ['read', 'draw'] },
      ],
    });

    const ended = await scene.waitForEnd(swarm.id);

    expect(ended).toMatchObject({ status: 'completed', reason: 'All subtasks are done.', turnsUsed: 3 });
    expect(checkOrder(ended.state.subTasks)).toEqual([]);
    expect(ended.state.subTasks).toMatchObject([
      { id: 'read', status: 'done', result: 'Result of read.', attempts: 1 },
      { id: 'draw', status: 'done', result: 'Result of draw.' },
      { id: 'write', status: 'done', result: 'Result of write.' },
    ]);
    const asked = scene.model.requests.map(({ messages }) => messages.at(-1)?.content ?? '');
    const written = asked.find((text) => text.includes('Your subtask is "write"'));
    expect(written).toContain('## read\nResult of read.\n## draw\nResult of draw.');
  });

  test('goes on without an agent that was deleted, and counts no turn of it', async () => {
    const [agent, deleted] = await Promise.all([scene.createAgent(), scene.createAgent()]);
    const { workspaceId, database } = scene.lab;
    const subtasks = [
      { id: 'a', description: 'A.', assignee: agent.id },
      { id: 'b', description: 'B.', assignee: deleted.id },
      { id: 'c', description: 'C.', assignee: agent.id, depends_on: ['b'] },
    ];
    const swarmId = newId();
    const input = swarmInputSchema.parse({ kind: 'rich', goal: 'Go on.', subtasks });
    const waiting = { ...scene.dependencies, startSwarm: () => Promise.resolve() };
    await createSwarm(waiting, { workspaceId }, { swarmId, input, startedBy: null });
    await database.inWorkspace(workspaceId, (trx) => createAgentRepository(trx).deleteAgent(deleted.id));

    await scene.dependencies.startSwarm({ workspaceId, swarmId });

    const error = { code: 'NOT_FOUND', message: `There is no agent ${deleted.id}.` };
    expect(await scene.waitForEnd(swarmId)).toMatchObject({
      ...{ status: 'failed', reason: '2 subtasks were left: b, c.', turnsUsed: 1 },
      state: {
        subTasks: [
          { status: 'done' },
          { status: 'failed', attempts: 0, turn_id: null, error },
          { status: 'todo' },
        ],
      },
    });
  });

  test('gets its leader and its members from a team among the resources', async () => {
    const [leader, member, other] = await Promise.all(
      ['Leader', 'Member', 'Other'].map((name) => scene.createAgent({ name })),
    );
    const teamId = newId();
    await scene.lab.database.inWorkspace(scene.lab.workspaceId, async (trx) => {
      const maker = JSON.stringify({ type: 'agent', id: newId() });
      await trx('resources').insert({ id: teamId, kind: 'team', name: 'Writers', owner: maker, search: '' });
      const attributes = { leaderId: leader?.id, members: [{ agentId: member?.id, role: 'Writes.' }] };
      await trx('resource_versions').insert({
        ...{ resource_id: teamId, version: 1, made_by: maker, attributes: JSON.stringify(attributes) },
      });
    });
    const order = (assignee: string) => ({
      ...{ kind: 'rich', goal: 'Write.', teamId },
      subtasks: [{ id: 'a', description: 'A.', assignee }],
    });

    await expect(scene.start(order(other?.id ?? ''))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(scene.start({ ...order('Member'), teamId: newId() })).rejects.toMatchObject({
      details: [{ field: 'teamId' }],
    });
    const ended = await scene.waitForEnd((await scene.start(order('Member'))).id);

    expect(ended).toMatchObject({
      ...{ status: 'completed', leader: leader?.id, result: 'The swarm is done.' },
      state: { subTasks: [{ assignee: member?.id, result: 'Result of a.' }] },
    });
  });
});
