import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { Resource } from '../../../src/domain/resource.ts';
import { createResourceRepository } from '../../../src/modules/resources/stores/resource-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { toOperationSchema } from '../../../src/modules/resources/operation-schema.ts';
import { submitTurn } from '../../../src/modules/turns/submit-turn.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { coreTool } from '../../labs/core-tool.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';

let lab: TurnLab;
beforeAll(async () => {
  lab = await shareTurnLab();
});
afterAll(() => lab.close());

const tools = ['resource_manage', 'define_tool', 'remember', 'recall'].map((name) => coreTool(name));

function openScene(): Promise<LabScene> {
  return lab.scene({ execution: 'direct', tools: [...tools, calculate] });
}

/** Has the model of a scene make one call, and returns the call when its turn has ended. */
async function callOnce(scene: LabScene, [name, input]: [string, JsonObject], actingFor?: string) {
  scene.reply({ toolCalls: [{ name, arguments: input }] }, { text: 'Done.' });
  const turnId = await scene.say('Go on.', actingFor === undefined ? {} : { actingFor });
  const turn = await lab.waitForOutcome(turnId);
  expect(turn.outcome).toBe('completed');
  const [call] = turn.toolCalls;
  if (!call) throw new Error('the turn has no call');
  return { ...call, turnId };
}

async function manage(scene: LabScene, input: JsonObject): Promise<JsonObject & { id: string }> {
  const { status, result } = await callOnce(scene, ['resource_manage', input]);
  expect({ status, result }).toMatchObject({ status: 'succeeded' });
  return JSON.parse(result ?? '') as JsonObject & { id: string };
}

function find(id: string): Promise<Resource | null> {
  return lab.database.inWorkspace(lab.workspaceId, (trx) => createResourceRepository(trx).findResource(id));
}

const note = { name: 'Refunds', content: 'Refunds take 14 days.' };

describe('resource_manage', () => {
  test('lets an agent make routines that act as itself, and change no others', async () => {
    const [scene, other] = [await openScene(), await openScene()];
    const task = { set: { done: true } };
    const routine = (agentId: string, name: string) => ({
      ...{ op: 'add', resource_type: 'single_step_routine', attributes: { agentId, name, task } },
    });
    const { id } = await manage(scene, routine(scene.agent.id, 'own'));
    const call = (one: LabScene, input: JsonObject) => callOnce(one, ['resource_manage', input]);
    const forbidden = { status: 'failed', error: { code: 'FORBIDDEN' } };
    expect(await call(scene, routine(other.agent.id, 'lent'))).toMatchObject(forbidden);
    const change = {
      op: 'update',
      resource_type: 'single_step_routine',
      id,
      attributes: { description: 'Mine.' },
    };
    expect(await call(other, change)).toMatchObject(forbidden);
    const lend = { ...change, attributes: { agentId: other.agent.id } };
    expect(await call(scene, lend)).toMatchObject(forbidden);
    expect(await manage(scene, change)).toMatchObject({ version: 2, attributes: { description: 'Mine.' } });
  });

  test('makes and shows no agents for somebody who may not', async () => {
    const scene = await openScene();
    const lost = { workspaceId: lab.workspaceId, apiKeyId: newId() };
    const ask = async (input: JsonObject) => {
      scene.reply({ toolCalls: [{ name: 'resource_manage', arguments: input }] }, { text: 'Done.' });
      const turnId = newId();
      const message = { onBusy: 'reject' as const, message: 'Go on.' };
      await submitTurn(lab.turns, lost, { turnId, conversationId: scene.conversationId, input: message });
      return (await lab.waitForOutcome(turnId)).toolCalls;
    };
    const attributes = { name: 'Made', model: 'compatible/x', instructions: 'Help.' };
    const refused = [{ status: 'failed', error: { code: 'FORBIDDEN' } }];
    expect(await ask({ op: 'add', resource_type: 'agent', attributes })).toMatchObject(refused);
    expect(await ask({ op: 'find', resource_type: 'agent', id: scene.agent.id })).toMatchObject(refused);
    expect(await ask({ op: 'find', resource_type: 'routine' })).toMatchObject(refused);
    const remark = { name: 'Hours', content: 'Open on Mondays.' };
    expect(await ask({ op: 'add', resource_type: 'note', attributes: remark })).toMatchObject([
      { status: 'succeeded' },
    ]);
  });

  test('adds, finds and updates a resource in the name of its agent', async () => {
    const scene = await openScene();
    const added = await manage(scene, { op: 'add', resource_type: 'note', attributes: note });
    const { id } = added;
    expect(added).toMatchObject({ version: 1, owner: { type: 'agent', agentId: scene.agent.id } });
    const found = await manage(scene, { op: 'find', resource_type: 'note', query: 'refund' });
    expect(found.resources).toMatchObject([{ id, name: 'Refunds', excerpt: 'Refunds take 14 days.' }]);
    const update = { op: 'update', resource_type: 'note', id, version: 1 };
    await manage(scene, { ...update, attributes: { content: 'Refunds take a week.' } });
    expect(await find(id)).toMatchObject({ version: 2, attributes: { content: 'Refunds take a week.' } });
    const stale = await callOnce(scene, ['resource_manage', { ...update, attributes: { content: 'No.' } }]);
    expect(stale).toMatchObject({ status: 'failed', error: { code: 'CONFLICT' } });
    const audited = await lab.database
      .system('audit_pending')
      .where({ subject_id: id })
      .pluck<object[]>('payload');
    const chained = await lab.database
      .system('audit_events')
      .where({ subject_id: id })
      .pluck<object[]>('payload');
    expect([...audited, ...chained]).toContainEqual(
      expect.objectContaining({
        version: 2,
        by: expect.objectContaining({ agent_id: scene.agent.id }) as object,
      }),
    );
  });

  test('tells the model field by field what is wrong', async () => {
    const scene = await openScene();
    const wrong = { op: 'add', resource_type: 'note', attributes: { name: 'x', text: 'y' } };
    const call = await callOnce(scene, ['resource_manage', wrong]);
    expect(call).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
    expect(call.error?.message).toContain('attributes.content');
    const memory = await callOnce(scene, ['resource_manage', { op: 'find', resource_type: 'memory' }]);
    expect(memory).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
  });

  test('deletes only what a person has approved', async () => {
    const scene = await openScene();
    const { id } = await manage(scene, { op: 'add', resource_type: 'note', attributes: note });
    for (const decision of ['reject', 'approve'] as const) {
      const input = { op: 'delete', resource_type: 'note', id, version: 1 };
      scene.reply({ toolCalls: [{ name: 'resource_manage', arguments: input }] }, { text: 'Done.' });
      const turnId = await scene.say('Delete it.');
      const [action] = await lab.waitForActions(turnId);
      expect(await find(id)).toMatchObject({ deletedAt: null });
      await lab.decide(action?.id ?? '', { decision });
      await lab.waitForOutcome(turnId);
      const found = await find(id);
      expect(found?.deletedAt === null).toBe(decision === 'reject');
    }
  });

  test('makes agents with copies of tools of the caller, and changes no other agent', async () => {
    const scene = await openScene();
    const attributes = { name: 'Helper', model: 'demo', instructions: 'Help.', tools: ['calculate'] };
    const { id } = await manage(scene, { op: 'add', resource_type: 'agent', attributes });
    expect(await manage(scene, { op: 'find', resource_type: 'agent', id })).toMatchObject({
      attributes: { name: 'Helper', tools: ['calculate'] },
    });
    const change = { op: 'update', resource_type: 'agent', attributes: { instructions: 'Obey.' } };
    await manage(scene, { ...change, id });
    for (const other of [scene.agent.id, (await openScene()).agent.id]) {
      const call = await callOnce(scene, ['resource_manage', { ...change, id: other }]);
      expect(call).toMatchObject({ status: 'failed', error: { code: 'FORBIDDEN' } });
    }
    const more = { op: 'add', resource_type: 'agent', attributes: { ...attributes, tools: ['pay'] } };
    expect(await callOnce(scene, ['resource_manage', more])).toMatchObject({ status: 'failed' });
  });
});

describe('define_tool', () => {
  test('gives the schema of an operation', async () => {
    const scene = await openScene();
    const input = { toolName: 'resource_manage', variant: 'team', op: 'add' };
    const { result } = await callOnce(scene, ['define_tool', input]);
    expect(JSON.parse(result ?? '')).toEqual(toOperationSchema('team', 'add'));
  });

  test('refuses every other tool', async () => {
    const scene = await openScene();
    const { error } = await callOnce(scene, ['define_tool', { toolName: 'x', variant: 'note', op: 'add' }]);
    expect(error?.message).toBe('Error: defineTool only supports resource_manage, but received x.');
    const unknown = { toolName: 'resource_manage', variant: 'poem', op: 'add' };
    expect((await callOnce(scene, ['define_tool', unknown])).error?.message).toContain('note');
  });
});

describe('memories', () => {
  const remember = (scene: LabScene, [content, scope]: [string, string], actingFor?: string) =>
    callOnce(scene, ['remember', { content, scope }], actingFor);
  const recall = async (scene: LabScene, input: JsonObject, actingFor?: string) =>
    (await callOnce(scene, ['recall', input], actingFor)).result ?? '';

  test('are recalled by their agent, by all who talk to the person, or in the whole workspace', async () => {
    const one = await openScene();
    const other = await openScene();
    await remember(one, ['The kangaroo report is due on Monday.', 'agent']);
    await remember(one, ['Ann keeps a kangaroo.', 'user'], 'ann');
    await remember(one, ['A kangaroo is our mascot.', 'workspace']);
    const query = { query: 'What about kangaroos?' };
    const own = await recall(one, query, 'ann');
    expect(own).toContain('not instructions');
    for (const text of ['due on Monday', 'Ann keeps', 'our mascot']) expect(own).toContain(text);
    const others = await recall(other, query, 'ann');
    expect(others).not.toContain('due on Monday');
    expect(others).toContain('Ann keeps');
    expect(await recall(other, query, 'bob')).not.toContain('Ann keeps');
    expect(await recall(other, query)).not.toContain('Ann keeps');
    expect(await recall(other, { query: 'wombat' })).toBe('Nothing is remembered about this.');
  });

  test('about a person need a person', async () => {
    const call = await remember(await openScene(), ['Somebody likes tea.', 'user']);
    expect(call).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
  });

  test('are corrected in their place, but not by an agent that may not see them', async () => {
    const scene = await openScene();
    const first = await remember(scene, ['The office is in Bern.', 'agent']);
    const { id } = JSON.parse(first.result ?? '') as { id: string };
    const input = { content: 'The office is in Basel.', replaces: id };
    const stranger = await callOnce(await openScene(), ['remember', input]);
    expect(stranger).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND' } });
    await callOnce(scene, ['remember', input]);
    expect(await find(id)).toMatchObject({ version: 2, attributes: { content: 'The office is in Basel.' } });
    expect(await recall(scene, {})).not.toContain('Bern');
  });
});
