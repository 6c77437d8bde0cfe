import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../../src/domain/audit.ts';
import type { Schedule, ScheduleRun } from '../../../src/modules/schedules/schedule.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import type { Trigger } from '../../../src/modules/triggers/trigger.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { beginScheduledRun, type ScheduledTurn } from '../../../src/modules/schedules/run-schedule.ts';
import { parseApiKeyText } from '../../../src/modules/workspaces/keys/api-key-text.ts';
import { hookSecret, newIssue, startHookScene, type HookScene } from '../../labs/trigger-scene.ts';
import { fromGitHub } from '../../labs/vendor-deliveries.ts';

const work: Scope[] = ['conversations:read', 'conversations:write', 'routines:write'];

let hooks: HookScene;
beforeAll(async () => {
  hooks = await startHookScene();
});
afterAll(() => hooks.api.stop());

const idOf = (key: string) => parseApiKeyText(key)?.id ?? '';
const createKey = (scopes = work, actsFor?: string) =>
  hooks.api.createKey(hooks.api.workspaceId, scopes, { actsFor });
const revoke = (key: string) =>
  hooks.api.database
    .system('api_keys')
    .where({ id: idOf(key) })
    .update({ revoked_at: new Date() });

/** Makes a request with a key, and returns its status, the code of its error and its data. */
async function call(key: string, request: string, body: object = {}) {
  const [method = '', path = ''] = request.split(' ');
  const sent = method === 'GET' || method === 'DELETE' ? {} : { body };
  const { status, error, data } = await hooks.api.call(method, path, { key, ...sent });
  return { status, code: (error as { code?: string } | undefined)?.code, data: data as unknown };
}

async function createSchedule(key: string, action: object = {}): Promise<Schedule> {
  const { data } = await call(key, 'POST /api/schedules', {
    ...{ name: 'Report', times: { cron: '0 0 1 1 * 2099' } },
    action: { kind: 'turn', agentId: hooks.agentId, message: 'Report!', ...action },
  });
  return (data as { schedule: Schedule }).schedule;
}

async function createTrigger(key: string, action: object = {}): Promise<Trigger> {
  const { data } = await call(key, 'POST /api/triggers', {
    ...{ name: 'Triage', provider: 'github', events: ['*'], secret: hookSecret },
    action: { kind: 'turn', agentId: hooks.agentId, message: 'Look!', ...action },
  });
  return (data as { trigger: Trigger }).trigger;
}

async function createRoutine(): Promise<string> {
  const name = `later-${newId()}`;
  const document = `document: { dsl: '1.0.0', namespace: test, name: ${name}, version: '1.0.0' }\ndo:\n  - a: { set: { b: 1 } }`;
  const { routine } = await hooks.ask<{ routine: { id: string } }>('POST', '/api/routines', {
    ...{ agentId: hooks.agentId, document },
  });
  return routine.id;
}

const readSchedule = async ({ id }: Schedule) =>
  (await hooks.ask<{ schedule: Schedule }>('GET', `/api/schedules/${id}`)).schedule;
const readTrigger = async ({ id }: Trigger) =>
  (await hooks.ask<{ trigger: Trigger }>('GET', `/api/triggers/${id}`)).trigger;
const listStops = async (subjectId: string) => {
  const path = `/api/audit-events?subjectId=${subjectId}&type=work.stopped`;
  return (await hooks.ask<{ auditEvents: AuditEvent[] }>('GET', path)).auditEvents;
};

let minute = 0;

const nextTime = () => new Date(Date.UTC(2026, 0, 1, 0, (minute += 1))).toISOString();

/** Lets a schedule run, and returns the turn that it stores, and its run. */
async function run(
  { id }: Schedule,
  scheduledAt = nextTime(),
): Promise<{ turn: ScheduledTurn | undefined; run: ScheduleRun }> {
  const turns: ScheduledTurn[] = [];
  const { database, workspaceId } = hooks.api;
  const nothing = () => Promise.reject(new Error('nothing else should happen'));
  const dependencies = {
    database,
    schedules: {
      ...{ saveSchedule: nothing, hasSchedule: nothing, deleteSchedule: nothing },
      ...{ runSchedule: nothing, backfillSchedule: nothing, listNextRuns: nothing, countTimes: nothing },
    },
    belongsToOther: nothing,
    work: {
      storeTurn: (turn: ScheduledTurn) => Promise.resolve(void turns.push(turn)).then(() => null),
      ...{ startReplay: nothing, startRoutine: nothing, cancel: nothing, findEnd: nothing },
    },
  };
  await beginScheduledRun(dependencies, { workspaceId, scheduleId: id, scheduledAt });
  const { runs } = await hooks.ask<{ runs: ScheduleRun[] }>('GET', `/api/schedules/${id}/runs`);
  const found = runs.find((one) => one.scheduledAt === scheduledAt);
  if (!found) throw new Error('the run is not listed');
  return { turn: turns[0], run: found };
}

const send = (trigger: Trigger) =>
  hooks.deliver(trigger, fromGitHub({ secret: hookSecret, payload: { ...newIssue, id: newId() } }));

const pause = { paused: true };

describe('every change needs the right to what is started', () => {
  test('of a schedule', async () => {
    const { id } = await createSchedule(hooks.api.key, {
      ...{ kind: 'routine', routineId: await createRoutine() },
      ...{ agentId: undefined, message: undefined },
    });
    const talker = await createKey(['conversations:read', 'conversations:write']);
    const span = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    const at = `/api/schedules/${id}`;
    const refused = { status: 403, code: 'FORBIDDEN' };
    expect(await call(talker, `PATCH ${at}`, { name: 'Other' })).toMatchObject(refused);
    for (const verb of ['pause', 'resume', 'run'])
      expect(await call(talker, `POST ${at}/${verb}`)).toMatchObject(refused);
    expect(await call(talker, `POST ${at}/backfill`, span)).toMatchObject(refused);
    expect(await call(talker, `DELETE ${at}`)).toMatchObject(refused);
    const key = await createKey();
    expect(await call(key, `POST ${at}/run`)).toMatchObject({ status: 202 });
    const { data } = await call(key, `GET ${at}`);
    expect(data).toMatchObject({ schedule: { changedBy: { apiKeyId: idOf(key), actingFor: null } } });
    expect(await call(key, `DELETE ${at}`)).toMatchObject({ status: 200 });
  });

  test('of a trigger, its secret and its deliveries', async () => {
    const trigger = await createTrigger(hooks.api.key, {
      ...{ kind: 'routine', routineId: await createRoutine(), input: '.missing | error' },
      ...{ agentId: undefined, message: undefined },
    });
    const failed = await send(trigger);
    expect(failed).toMatchObject({ status: 'failed' });
    const talker = await createKey(['conversations:read', 'conversations:write']);
    const at = `/api/triggers/${trigger.id}`;
    const retry = `POST ${at}/deliveries/${failed.id}/retry`;
    const refused = { status: 403, code: 'FORBIDDEN' };
    expect(await call(talker, `PATCH ${at}`, pause)).toMatchObject(refused);
    expect(await call(talker, `POST ${at}/rotate-secret`)).toMatchObject(refused);
    expect(await call(talker, retry)).toMatchObject(refused);
    expect(await call(talker, `DELETE ${at}`)).toMatchObject(refused);
    const key = await createKey();
    expect(await call(key, retry)).toMatchObject({ status: 202 });
    expect(await call(key, `POST ${at}/rotate-secret`)).toMatchObject({ status: 200 });
    expect(await readTrigger(trigger)).toMatchObject({ changedBy: { apiKeyId: idOf(key) } });
    expect(await call(key, `DELETE ${at}`)).toMatchObject({ status: 200 });
  });
});

describe('work whose maker lost the right to it starts nothing until somebody with the right changes it', () => {
  test('a schedule of a revoked key', async () => {
    const key = await createKey();
    const schedule = await createSchedule(key, { actingFor: 'ada' });
    expect((await run(schedule)).turn).toMatchObject({ startedBy: { apiKeyId: idOf(key) } });
    await revoke(key);
    for (let time = 0; time < 2; time++) {
      const refused = await run(schedule);
      expect(refused.turn).toBeUndefined();
      expect(refused.run).toMatchObject({ status: 'failed', error: { code: 'RIGHTS_LOST' } });
    }
    const { stoppedAt, stoppedReason } = await readSchedule(schedule);
    expect(Date.parse(stoppedAt ?? '')).toBeGreaterThan(0);
    expect(stoppedReason).toContain(idOf(key));
    expect(await listStops(schedule.id)).toMatchObject([
      { payload: { kind: 'schedule', name: 'Report', reason: stoppedReason } },
    ]);
    const other = await createKey();
    await call(other, `PATCH /api/schedules/${schedule.id}`, { name: 'Mended' });
    expect(await readSchedule(schedule)).toMatchObject({ stoppedAt: null, stoppedReason: null });
    const mended = await run(schedule);
    expect(mended.turn).toMatchObject({ startedBy: { apiKeyId: idOf(other) }, input: { actingFor: 'ada' } });
  });

  test('a schedule whose last changer lost the right', async () => {
    const key = await createKey();
    const schedule = await createSchedule(hooks.api.key);
    await call(key, `POST /api/schedules/${schedule.id}/pause`);
    await hooks.api.database
      .system('api_keys')
      .where({ id: idOf(key) })
      .update({ scopes: ['agents:read'] });
    expect((await run(schedule)).run).toMatchObject({ error: { code: 'RIGHTS_LOST' } });
    await call(hooks.api.key, `POST /api/schedules/${schedule.id}/resume`);
    expect((await run(schedule)).turn).toMatchObject({ startedBy: { apiKeyId: idOf(hooks.api.key) } });
  });

  test('a trigger of a key that has expired', async () => {
    const key = await createKey();
    const trigger = await createTrigger(key);
    expect(await send(trigger)).toMatchObject({ status: 'started' });
    await hooks.api.database
      .system('api_keys')
      .where({ id: idOf(key) })
      .update({ expires_at: new Date(0) });
    const refused = { status: 'failed', turnId: null, error: { code: 'RIGHTS_LOST' } };
    const first = await send(trigger);
    expect([first, await send(trigger)]).toMatchObject([refused, refused]);
    const { stoppedReason } = await readTrigger(trigger);
    expect(stoppedReason).toContain('expired');
    expect(await listStops(trigger.id)).toMatchObject([{ payload: { kind: 'trigger' } }]);
    const other = await createKey();
    await call(other, `PATCH /api/triggers/${trigger.id}`, { name: 'Mended' });
    expect(await readTrigger(trigger)).toMatchObject({ stoppedAt: null });
    expect(await send(trigger)).toMatchObject({ status: 'started' });
    const retry = `POST /api/triggers/${trigger.id}/deliveries/${first.id}/retry`;
    expect(await call(other, retry)).toMatchObject({ status: 202 });
  });
});

test('a run that is over is not begun again when Temporal delivers its start once more', async () => {
  const schedule = await createSchedule(hooks.api.key);
  const time = nextTime();
  const first = await run(schedule, time);
  expect(first.turn).toBeDefined();
  await hooks.api.database
    .system('schedule_runs')
    .where({ id: first.run.id })
    .update({ status: 'completed', outcome: 'completed', ended_at: new Date() });
  expect(await run(schedule, time)).toMatchObject({ turn: undefined, run: { status: 'completed' } });
});

describe('a conversation that is shared no more', () => {
  async function share() {
    const [ann, bob] = [await createKey(work, 'Ann'), await createKey(work, 'Bob')];
    const { data } = await call(bob, 'POST /api/conversations', { agentId: hooks.agentId });
    const { id } = (data as { conversation: { id: string } }).conversation;
    const shareWith = (sharedWith: string[]) => call(bob, `PATCH /api/conversations/${id}`, { sharedWith });
    expect(await shareWith(['Ann'])).toMatchObject({ status: 200 });
    return { ann, action: { agentId: undefined, conversationId: id }, unshare: () => shareWith([]) };
  }
  const isGone = { status: 'failed', error: { code: 'NOT_FOUND' } };

  test('gets no message of a schedule', async () => {
    const { ann, action, unshare } = await share();
    const schedule = await createSchedule(ann, action);
    expect((await run(schedule)).turn).toMatchObject({ conversationId: action.conversationId });
    expect(await unshare()).toMatchObject({ status: 200 });
    expect(await run(schedule)).toMatchObject({ turn: undefined, run: isGone });
  });

  test('gets no message of a trigger', async () => {
    const { ann, action, unshare } = await share();
    const trigger = await createTrigger(ann, action);
    expect(await send(trigger)).toMatchObject({ status: 'started' });
    expect(await unshare()).toMatchObject({ status: 200 });
    expect(await send(trigger)).toMatchObject({ ...isGone, turnId: null });
  });
});

describe('a key for one person', () => {
  test('changes schedules only that act for this person', async () => {
    const ann = await createKey(work, 'Ann');
    const bob = await createKey(work, 'Bob');
    const schedules = [
      await createSchedule(bob),
      await createSchedule(hooks.api.key, { actingFor: 'Bob' }),
      await createSchedule(hooks.api.key),
    ];
    for (const { id } of schedules) {
      const at = `/api/schedules/${id}`;
      for (const request of [`PATCH ${at}`, `POST ${at}/pause`, `POST ${at}/run`, `DELETE ${at}`]) {
        const body = request.startsWith('PATCH') ? { name: 'Mine' } : {};
        expect(await call(ann, request, body)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      }
    }
  });

  test('makes what it changes act for this person, also after others change it', async () => {
    const ann = await createKey(work, 'Ann');
    const schedule = await createSchedule(hooks.api.key, { actingFor: 'ann' });
    const action = { kind: 'turn', agentId: hooks.agentId, message: 'Mine', actingFor: 'Bob' };
    const at = `PATCH /api/schedules/${schedule.id}`;
    expect(await call(ann, at, { action })).toMatchObject({ status: 200 });
    expect((await run(schedule)).turn).toMatchObject({ startedBy: { actingFor: 'Ann' } });
    await call(hooks.api.key, at, { name: 'Renamed' });
    expect((await run(schedule)).turn).toMatchObject({ startedBy: { actingFor: 'Ann' } });
    await call(hooks.api.key, at, { action });
    expect((await run(schedule)).turn).toMatchObject({
      ...{ startedBy: { actingFor: null }, input: { actingFor: 'Bob' } },
    });
  });

  test('changes no trigger that acts for anybody, and its own triggers act for this person', async () => {
    const ann = await createKey(work, 'Ann');
    const template = { actingFor: '{{ .who }}' };
    const open = await createTrigger(hooks.api.key, template);
    expect(await call(ann, `PATCH /api/triggers/${open.id}`, pause)).toMatchObject({ status: 404 });
    expect(await call(ann, `POST /api/triggers/${open.id}/rotate-secret`)).toMatchObject({ status: 404 });
    const own = await createTrigger(ann, template);
    const payload = { ...newIssue, who: 'Bob' };
    const { turnId } = await hooks.deliver(own, fromGitHub({ secret: hookSecret, payload }));
    const { data } = await hooks.api.call('GET', `/api/turns/${turnId}`);
    expect(data.turn).toMatchObject({ startedBy: { actingFor: 'Ann' } });
  });
});

test('a key for one person changes no swarm and no run of a routine of others', async () => {
  const may: Scope[] = [...work, 'swarms:write'];
  const [ann, bob] = [await createKey(may, 'Ann'), await createKey(may, 'Bob')];
  const subtasks = [{ id: 'a', description: 'Do it.', assignee: hooks.agentId }];
  const started = await call(bob, 'POST /api/swarms', { kind: 'rich', goal: 'Done', subtasks });
  const swarm = `/api/swarms/${(started.data as { swarm: { id: string } }).swarm.id}`;
  const path = `POST /api/routines/${await createRoutine()}/runs`;
  const begun = await call(bob, path, { input: {} });
  const run = `/api/routine-runs/${(begun.data as { run: { id: string } }).run.id}`;
  const changes = [
    [`PATCH ${swarm}`, { blackboard: { set: [] } }],
    [`POST ${swarm}/pause`, {}],
    [`POST ${swarm}/resume`, {}],
    [`POST ${swarm}/end`, { mode: 'graceful', reason: 'Enough.' }],
    [`POST ${run}/pause`, {}],
    [`POST ${run}/stop`, { mode: 'now' }],
  ] as const;
  for (const [request, body] of changes) {
    const { status, code } = await call(ann, request, body);
    expect({ request, status, code }).toEqual({ request, status: 404, code: 'NOT_FOUND' });
  }
  for (const [request, body] of changes.slice(0, 4))
    expect({ request, ...(await call(bob, request, body)) }).toMatchObject({ request, status: 200 });
});
