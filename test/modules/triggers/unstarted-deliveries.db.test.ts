import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTriggered } from '../../../src/modules/triggers/start-triggered.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { schemaChecksOf } from '../../../src/engines/tools/json-schema/schema-checks.ts';
import { eventually } from '../../labs/eventually.ts';
import {
  hookSecret,
  newIssue,
  startHookScene,
  toDeliveryId,
  type HookScene,
} from '../../labs/trigger-scene.ts';
import { deliver, fromGitHub } from '../../labs/vendor-deliveries.ts';

const secret = hookSecret;
const issue = newIssue;

let hooks: HookScene;
beforeAll(async () => {
  hooks = await startHookScene();
});
afterAll(() => hooks.api.stop());

describe('a delivery that starts nothing', () => {
  const ignored = (reason: string) => ({ status: 'ignored', reason, turnId: null });

  test('has another event, or is a test of the sender', async () => {
    const trigger = await hooks.createTrigger({}, { events: ['issues.opened', 'pull_request.*'] });
    const send = (event: string, payload: object) =>
      hooks.deliver(trigger, fromGitHub({ secret, event, payload: { ...payload, id: newId() } }));
    const reason = 'the trigger has no such event';
    expect(await send('issues', { action: 'closed' })).toMatchObject(ignored(reason));
    expect(await send('pull_requests', { action: 'opened' })).toMatchObject(ignored(reason));
    expect(await send('pull_request', { action: 'opened' })).toMatchObject({ status: 'started' });
    const all = await hooks.createTrigger();
    const ping = await hooks.deliver(all, fromGitHub({ secret, event: 'ping', payload: { zen: 'x' } }));
    expect(ping).toMatchObject({ ...ignored('it is a test of the sender'), payload: null });
  });

  test('does not pass the filter', async () => {
    const trigger = await hooks.createTrigger({}, { filter: '.issue.title | test("(?i)urgent")' });
    const send = (title: string) =>
      hooks.deliver(trigger, fromGitHub({ secret, payload: { ...issue, issue: { title } } }));
    expect(await send('Typo')).toMatchObject(ignored('the filter of the trigger'));
    expect(await send('URGENT: down')).toMatchObject({ status: 'started' });
  });

  test('was caused by a program, so that agents do not answer themselves', async () => {
    const payload = { ...issue, sender: { type: 'Bot' } };
    const reason = 'a program has caused it';
    expect(await hooks.deliver(await hooks.createTrigger(), fromGitHub({ secret, payload }))).toMatchObject(
      ignored(reason),
    );
    const open = await hooks.createTrigger({}, { includeBots: true });
    expect(await hooks.deliver(open, fromGitHub({ secret, payload }))).toMatchObject({ status: 'started' });
  });

  test('comes while the trigger is paused', async () => {
    const trigger = await hooks.createTrigger();
    await hooks.ask('PATCH', `/api/triggers/${trigger.id}`, { paused: true });
    const send = (number: number) =>
      hooks.deliver(trigger, fromGitHub({ secret, payload: { ...issue, number } }));
    expect(await send(1)).toMatchObject(ignored('the trigger is paused'));
    await hooks.ask('PATCH', `/api/triggers/${trigger.id}`, { paused: false });
    expect(await send(2)).toMatchObject({ status: 'started' });
  });

  test('has a payload that the programs do not fit, and says where', async () => {
    const trigger = await hooks.createTrigger({ message: '{{ .issue | ascii_downcase }}' });
    expect(await hooks.deliver(trigger, fromGitHub({ secret, payload: issue }))).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_INPUT', details: [{ field: 'action.message' }] },
    });
    const keyed = await hooks.createTrigger({ conversationKey: '{{ .thread }}' });
    expect(await hooks.deliver(keyed, fromGitHub({ secret, payload: issue }))).toMatchObject({
      status: 'failed',
      error: { details: [{ field: 'action.conversationKey' }] },
    });
  });

  test('comes after the agent was deleted', async () => {
    const { data } = await hooks.api.call('POST', '/api/agents', {
      body: { name: 'Gone', model: 'demo', instructions: 'Answer.' },
    });
    const trigger = await hooks.createTrigger({ agentId: data.agent.id });
    await hooks.ask('DELETE', `/api/agents/${data.agent.id}`);
    expect(await hooks.deliver(trigger, fromGitHub({ secret, payload: issue }))).toMatchObject({
      status: 'failed',
      error: { code: 'NOT_FOUND' },
    });
  });

  test('has a program that does not end', async () => {
    const trigger = await hooks.createTrigger({}, { filter: 'last(range(1e12)) > 0' });
    expect(await hooks.deliver(trigger, fromGitHub({ secret, payload: issue }))).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_INPUT', details: [{ field: 'filter' }] },
    });
  });
});

describe('a delivery that has failed', () => {
  const retry = (triggerId: string, id: string) =>
    hooks.api.call('POST', `/api/triggers/${triggerId}/deliveries/${id}/retry`, { body: {} });

  test('is started by a retry, with what the trigger does now, and once', async () => {
    const trigger = await hooks.createTrigger({ message: '{{ .issue | ascii_downcase }}' });
    const { id, status } = await hooks.deliver(trigger, fromGitHub({ secret, payload: issue }));
    expect(status).toBe('failed');
    const action = { kind: 'turn', agentId: hooks.agentId, message: 'Now: {{ .issue.title }}' };
    await hooks.ask('PATCH', `/api/triggers/${trigger.id}`, { action });
    const changer = { apiKeyId: trigger.createdBy.apiKeyId, actingFor: 'Bob' };
    await hooks.api.database
      .system('triggers')
      .where({ id: trigger.id })
      .update({ changed_by: JSON.stringify(changer) });
    expect(await retry(trigger.id, id)).toMatchObject({ status: 202 });
    const started = await eventually(
      () => hooks.read(trigger.id, id),
      (delivery) => delivery.status !== 'accepted',
    );
    expect(started).toMatchObject({ status: 'started', error: null });
    expect(await hooks.readMessages(started.conversationId)).toEqual(['Now: It breaks']);
    const turns = await hooks.api.database.system('turns').where({ id: started.turnId });
    const retrier = { apiKeyId: expect.any(String) as string, actingFor: null };
    expect(turns).toMatchObject([{ participants: [changer, retrier] }]);
    expect(await retry(trigger.id, id)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect(await hooks.countTurns(started.conversationId)).toBe(1);
  });

  test('cannot be started without its payload', async () => {
    const trigger = await hooks.createTrigger({}, { events: ['push'] });
    const { id } = await hooks.deliver(trigger, fromGitHub({ secret, payload: issue }));
    expect(await retry(trigger.id, id)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
  });
});

test('a delivery that was accepted by a process that died is started once, however many start it', async () => {
  const dying = await startHookScene({ startTriggered: () => undefined });
  onTestFinished(dying.api.stop);
  const trigger = await dying.createTrigger();
  const delivery = fromGitHub({ secret, payload: issue });
  const deliveryId = toDeliveryId(await deliver(trigger.url, delivery));
  expect(toDeliveryId(await deliver(trigger.url, delivery))).toBe(deliveryId);
  expect(await dying.read(trigger.id, deliveryId)).toMatchObject({ status: 'accepted', duplicates: 1 });

  const { database, workspaceId, calls } = dying.api;
  const done = () => Promise.resolve();
  const dependencies = {
    ...{ database, startRoutine: done, cancelTurn: done, notifyDecision: done },
    startTurn: (input: (typeof calls.started)[number]) => Promise.resolve(void calls.started.push(input)),
    notifier: { events: () => undefined, stop: () => undefined, steerNow: () => undefined },
    checksOf: schemaChecksOf,
    logger: { warn: () => undefined, debug: () => undefined },
  };
  const start = () => startTriggered(dependencies, { workspaceId, deliveryId });
  await Promise.all([start(), start(), start()]);
  await start();
  const { status, turnId, conversationId } = await dying.read(trigger.id, deliveryId);
  expect({ status, turnIds: new Set(calls.started.map((input) => input.turnId)) }).toEqual({
    ...{ status: 'started', turnIds: new Set([turnId]) },
  });
  expect(await dying.countTurns(conversationId)).toBe(1);
});

test('a delivery to a trigger that was deleted before it was started is ignored', async () => {
  const dying = await startHookScene({ startTriggered: () => undefined });
  onTestFinished(dying.api.stop);
  const trigger = await dying.createTrigger();
  const deliveryId = toDeliveryId(await deliver(trigger.url, fromGitHub({ secret, payload: issue })));
  await dying.ask('DELETE', `/api/triggers/${trigger.id}`);
  const { database, workspaceId } = dying.api;
  const fail = () => Promise.reject(new Error('nothing should start'));
  const dependencies = {
    ...{ database, startRoutine: fail, cancelTurn: fail, notifyDecision: fail, startTurn: fail },
    notifier: { events: () => undefined, stop: () => undefined, steerNow: () => undefined },
    checksOf: schemaChecksOf,
    logger: { warn: () => undefined, debug: () => undefined },
  };
  await startTriggered(dependencies, { workspaceId, deliveryId });
  const row = await database.system('trigger_deliveries').where({ id: deliveryId }).first<object>();
  expect(row).toMatchObject({ status: 'ignored', reason: 'the trigger was deleted' });
});
