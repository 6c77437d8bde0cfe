import { beforeAll, describe, expect, test } from 'vitest';
import { scopes, type Scope } from '../../../src/domain/scope.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { type AnswerData, type Api, type ApiAnswer } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { toDocument } from '../../labs/routine-scene.ts';
import { insertFile } from '../../labs/file-rows.ts';
import { insertPendingAction, insertReplayRun } from '../../labs/turn-rows.ts';

let api: Api;
let keys: Record<'bob' | 'ann' | 'anybody', string>;
let ids: Record<
  'agent' | 'conversation' | 'turn' | 'message' | 'toolCall' | 'action' | 'file' | 'run' | 'swarm' | 'replay',
  string
> &
  Record<'schedule' | 'trigger' | 'grant', string>;

beforeAll(async () => {
  api = await shareApi();
  const create = (actsFor: string) => api.createKey(api.workspaceId, [...scopes], { actsFor });
  keys = { bob: await create('Bob'), ann: await create('Ann'), anybody: api.key };
  ids = await fill();
});

const as = (who: keyof typeof keys) => (method: string, path: string, body?: unknown) =>
  api.call(method, path, { key: keys[who], ...(body === undefined ? {} : { body }) });

/** Everything of Bob, through his key where a request makes it. */
async function fill(): Promise<typeof ids> {
  const agent = (await as('anybody')('POST', '/api/agents', agentBody)).data.agent.id;
  const { conversation } = (await as('bob')('POST', '/api/conversations', { agentId: agent })).data;
  const path = `/api/conversations/${conversation.id}/turns`;
  const turn = (await as('bob')('POST', path, { message: 'A secret of Bob.' })).data.turn;
  const stored = await api.database.inWorkspace(api.workspaceId, async (trx) => {
    const toolCall = {
      ...toolCallRow,
      id: newId(),
      key: newId(),
      conversation_id: conversation.id,
      turn_id: turn.id,
    };
    await trx('tool_calls').insert(toolCall);
    await insertPendingAction(trx);
    const file = await insertFile(trx, turn.id);
    const replay = await insertReplayRun(trx, conversation.id);
    const action = await trx('pending_actions').first<{ id: string }>('id');
    return { toolCall: toolCall.id, file, replay, action: action.id };
  });
  const document = toDocument('own', '  - rest: { wait: { hours: 1 } }');
  const { routine } = (await as('anybody')('POST', '/api/routines', { agentId: agent, document })).data;
  const run = await as('bob')('POST', `/api/routines/${routine.id}/runs`, {});
  const work = { kind: 'rich', goal: 'Goal', subtasks: [{ id: 'a', description: 'Work', assignee: agent }] };
  const swarm = await as('bob')('POST', '/api/swarms', work);
  const task = { kind: 'turn', agentId: agent, message: 'Report.' };
  const times = { interval: { everyMs: 3_600_000 } };
  const schedule = await as('bob')('POST', '/api/schedules', { name: 'Report', times, action: task });
  const trigger = await as('bob')('POST', '/api/triggers', {
    ...{ name: 'Mail', provider: 'github', events: ['*'], action: { ...task, message: 'Read {{ .text }}' } },
  });
  return {
    ...{
      agent,
      conversation: conversation.id,
      turn: turn.id,
      message: turn.messageId ?? '',
      ...stored,
      grant: '',
    },
    run: toId(run, 'run'),
    swarm: toId(swarm, 'swarm'),
    schedule: toId(schedule, 'schedule'),
    trigger: toId(trigger, 'trigger'),
  };
}

function toId({ data, error }: ApiAnswer, field: string): string {
  const found = (data as unknown as Record<string, { id: string }> | undefined)?.[field];
  if (found === undefined) throw new Error(`no ${field}: ${JSON.stringify(error)}`);
  return found.id;
}

const agentBody = { name: 'Agent', model: 'demo', instructions: 'Help.' };
const toolCallRow = {
  ...{ turn_ordinal: 1, iteration: 1, index: 0, model_call_id: 'call', name: 'search', effect: 'safe' },
  ...{ arguments_hash: 'x', status: 'requested', arguments: '{}' },
};

/** What reads or changes one thing of Bob. */
const requests: [string, string, (of: typeof ids) => string, unknown?][] = [
  ['reads a conversation', 'GET', (of) => `/api/conversations/${of.conversation}`],
  ['renames a conversation', 'PATCH', (of) => `/api/conversations/${of.conversation}`, { title: 'Mine' }],
  [
    'shares a conversation',
    'PATCH',
    (of) => `/api/conversations/${of.conversation}`,
    { sharedWith: ['Ann'] },
  ],
  ['deletes a conversation', 'DELETE', (of) => `/api/conversations/${of.conversation}`],
  ['reads messages', 'GET', (of) => `/api/conversations/${of.conversation}/messages`],
  ['reads the context', 'GET', (of) => `/api/conversations/${of.conversation}/context`],
  ['follows a conversation', 'GET', (of) => `/api/conversations/${of.conversation}/events`],
  ['follows a turn', 'GET', (of) => `/api/turns/${of.turn}/events`],
  ['reads a turn', 'GET', (of) => `/api/turns/${of.turn}`],
  ['reads a tool call', 'GET', (of) => `/api/turns/${of.turn}/tool-calls/${of.toolCall}`],
  ['cancels a turn', 'POST', (of) => `/api/turns/${of.turn}/cancel`],
  ['starts a turn', 'POST', (of) => `/api/conversations/${of.conversation}/turns`, { message: 'Say it.' }],
  [
    'interrupts a turn',
    'POST',
    (of) => `/api/conversations/${of.conversation}/turns`,
    { message: 'Stop.', onBusy: 'interrupt' },
  ],
  ['steers with a message', 'POST', (of) => `/api/messages/${of.message}/steer`],
  ['withdraws a message', 'POST', (of) => `/api/messages/${of.message}/withdraw`],
  [
    'forks a conversation',
    'POST',
    (of) => `/api/conversations/${of.conversation}/fork`,
    { turnId: '{turn}', run: false },
  ],
  [
    'compares conversations',
    'GET',
    (of) => `/api/conversations/${of.conversation}/compare?with=${of.conversation}`,
  ],
  ['reads a file', 'GET', (of) => `/api/files/${of.file}`],
  ['downloads a file', 'GET', (of) => `/api/files/${of.file}/content`],
  ['downloads a result', 'GET', (of) => `/api/blobs/${of.file}`],
  ['deletes a file', 'DELETE', (of) => `/api/files/${of.file}`],
  ['reads a run', 'GET', (of) => `/api/routine-runs/${of.run}`],
  ['stops a run', 'POST', (of) => `/api/routine-runs/${of.run}/stop`, {}],
  ['reads a swarm', 'GET', (of) => `/api/swarms/${of.swarm}`],
  ['pauses a swarm', 'POST', (of) => `/api/swarms/${of.swarm}/pause`],
  ['ends a swarm', 'POST', (of) => `/api/swarms/${of.swarm}/end`, { mode: 'force', reason: 'Enough.' }],
  ['reads a schedule', 'GET', (of) => `/api/schedules/${of.schedule}`],
  ['runs a schedule', 'POST', (of) => `/api/schedules/${of.schedule}/run`],
  ['lists the runs of a schedule', 'GET', (of) => `/api/schedules/${of.schedule}/runs`],
  ['reads a trigger', 'GET', (of) => `/api/triggers/${of.trigger}`],
  ['lists the deliveries of a trigger', 'GET', (of) => `/api/triggers/${of.trigger}/deliveries`],
  ['reads a case of a replay', 'GET', (of) => `/api/replays/${of.replay}/cases/0`],
];

const send = (who: keyof typeof keys, [, method, toPath, body]: (typeof requests)[number]) =>
  as(who)(method, toPath(ids), body && JSON.parse(JSON.stringify(body).replace('{turn}', ids.turn)));

describe('a key for another person', () => {
  test.each(requests)('neither finds nor changes what it %s', async (...request) => {
    const { status, data, error } = await send('ann', request);
    expect({ status, data, code: (error as { code?: string } | undefined)?.code }).toEqual({
      status: 404,
      data: undefined,
      code: 'NOT_FOUND',
    });
  });

  test.each<[string, keyof AnswerData | 'runs' | 'swarms' | 'schedules' | 'triggers' | 'cases']>([
    ['/api/conversations', 'conversations'],
    ['/api/conversations?person=Bob', 'conversations'],
    ['/api/conversations/{conversation}/turns', 'turns'],
    ['/api/files', 'files'],
    ['/api/routine-runs', 'runs'],
    ['/api/swarms', 'swarms'],
    ['/api/schedules', 'schedules'],
    ['/api/triggers', 'triggers'],
    ['/api/replays/{replay}/cases', 'cases'],
  ])('lists nothing at %s', async (path, field) => {
    const full = path.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => ids[name]);
    const { status, data } = await as('ann')('GET', full);
    if (status === 404) return;
    expect({ status, items: (data as unknown as Record<string, unknown>)[field] }).toEqual({
      status: 200,
      items: [],
    });
  });

  test('exports nothing, and names no file of another person to a model', async () => {
    const exported = await fetch(`${api.url}/api/recordings`, {
      headers: { authorization: `Bearer ${keys.ann}` },
    });
    expect([exported.status, await exported.text()]).toEqual([200, '']);
    const { conversation } = (await as('ann')('POST', '/api/conversations', { agentId: ids.agent })).data;
    const message = [{ type: 'file', fileId: ids.file }];
    const { status, error } = await as('ann')('POST', `/api/conversations/${conversation.id}/turns`, {
      message,
    });
    expect([status, error.code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('who decides sees the call that waits, and nothing around it', async () => {
    const { data } = await as('ann')('GET', '/api/pending-actions');
    expect(data.actions.map(({ id }) => id)).toEqual([ids.action]);
    const only: Scope[] = ['conversations:read', 'conversations:write'];
    const reader = await api.createKey(api.workspaceId, only, { actsFor: 'Ann' });
    const shown = await api.call('GET', '/api/pending-actions', { key: reader });
    expect(shown.data.actions).toEqual([]);
    for (const path of [`/api/pending-actions/${ids.action}`, `/api/turns/${ids.turn}`])
      expect((await api.call('GET', path, { key: reader })).status).toBe(404);
  });
});

describe('what belongs to a person', () => {
  test('is found by this person and by keys without a person', async () => {
    for (const who of ['bob', 'anybody'] as const) {
      for (const request of requests.filter(([, method]) => method === 'GET')) {
        if (/follows|compares|a file|a result/.test(request[0])) continue;
        expect([who, request[0], (await send(who, request)).status]).toEqual([who, request[0], 200]);
      }
      const { data } = await as(who)('GET', '/api/conversations?person=BOB');
      expect(data.conversations.slice(-1)).toMatchObject([
        { id: ids.conversation, person: 'bob', sharedWith: [] },
      ]);
    }
  });

  test('is shared by this person only, is then read by those it is shared with, and deleted by them never', async () => {
    const path = `/api/conversations/${ids.conversation}`;
    for (const sharedWith of [['ann'], 'workspace'] as const) {
      const { data } = await as('bob')('PATCH', path, { sharedWith });
      expect(data.conversation).toMatchObject({ sharedWith, person: 'bob' });
      const { messages } = (await as('ann')('GET', `${path}/messages`)).data;
      expect(messages[0]).toMatchObject({ text: 'A secret of Bob.' });
      const { conversations } = (await as('ann')('GET', '/api/conversations')).data;
      expect(conversations.map(({ id }) => id)).toContain(ids.conversation);
      expect((await as('ann')('GET', `/api/turns/${ids.turn}`)).status).toBe(200);
      for (const [method, body] of [['DELETE'], ['PATCH', { sharedWith: ['Carl'] }]] as const)
        expect((await as('ann')(method, path, body)).status).toBe(403);
      const answer = await as('ann')('POST', `${path}/turns`, { message: 'And mine?', onBusy: 'enqueue' });
      expect(answer.data.turn).toMatchObject({ status: 'queued', startedBy: { actingFor: 'Ann' } });
    }
    await as('bob')('PATCH', path, { sharedWith: [] });
    expect((await as('ann')('GET', path)).status).toBe(404);
  });

  test('is a conversation of nobody in which the person said the first word', async () => {
    const open = async () =>
      (await as('anybody')('POST', '/api/conversations', { agentId: ids.agent })).data.conversation;
    const { id } = await open();
    const path = `/api/conversations/${id}`;
    expect((await as('ann')('GET', path)).status).toBe(404);
    const senders = (['ann', 'bob'] as const).map(async (who) => {
      return [who, (await as(who)('POST', `${path}/turns`, { message: 'Hello.' })).status];
    });
    const sent = await Promise.all(senders);
    const [[owner]] = sent.filter(([, status]) => status === 202) as [[string]];
    expect(sent.map(([, status]) => status).sort()).toEqual([202, 404]);
    expect((await as('anybody')('GET', path)).data.conversation.person).toBe(owner);

    const named = await open();
    await as('anybody')('POST', `/api/conversations/${named.id}/turns`, {
      message: 'Hello.',
      actingFor: 'Carl',
    });
    await as('anybody')('POST', `/api/conversations/${named.id}/turns`, {
      ...{ message: 'Hello.', actingFor: 'Ann', onBusy: 'enqueue' },
    });
    expect((await as('anybody')('GET', `/api/conversations/${named.id}`)).data.conversation.person).toBe(
      'carl',
    );
  });

  test('pages through own and shared conversations in one order', async () => {
    const dora = await api.createKey(api.workspaceId, [...scopes], { actsFor: 'Dora' });
    const made: string[] = [];
    for (const [person, sharedWith] of [
      ['Dora', []],
      ['Carl', ['DORA']],
      ['Carl', []],
      ['Dora', ['Carl', 'Dora']],
      ['Carl', 'workspace'],
    ] as const) {
      const body = { agentId: ids.agent, person, sharedWith };
      const { conversation } = (await as('anybody')('POST', '/api/conversations', body)).data;
      if (person === 'Dora' || sharedWith.length > 0) made.unshift(conversation.id);
    }
    const found: string[] = [];
    for (let cursor = ''; ;) {
      const { data } = await api.call('GET', `/api/conversations?limit=2${cursor}`, { key: dora });
      found.push(...data.conversations.map(({ id }) => id));
      if (data.nextCursor === null) break;
      cursor = `&cursor=${data.nextCursor}`;
    }
    expect(found).toEqual(made);
  });
});
