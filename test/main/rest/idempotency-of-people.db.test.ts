import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { scopes } from '../../../src/domain/scope.ts';
import type { Api, ApiAnswer } from '../../labs/api-lab.ts';
import { toDocument } from '../../labs/routine-scene.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
let ids: Record<'agent' | 'conversation' | 'turn' | 'routine' | 'swarm', string>;
let keys: Record<'bob' | 'ann', string>;

/** The conversation is shared, so that both may send the same request. */
beforeAll(async () => {
  api = await shareApi();
  const create = (actsFor: string) => api.createKey(api.workspaceId, [...scopes], { actsFor });
  keys = { bob: await create('Bob'), ann: await create('Ann') };
  const ask = async (method: string, path: string, body: object) => {
    const { status, data, error } = await api.call(method, path, { body });
    if (status >= 300) throw new Error(JSON.stringify(error));
    return data as unknown as Record<string, { id: string }>;
  };
  const agent = (await ask('POST', '/api/agents', { name: 'Agent', model: 'demo', instructions: 'Help.' }))[
    'agent'
  ]?.id as string;
  const conversation = (await ask('POST', '/api/conversations', { agentId: agent, person: 'Bob' }))[
    'conversation'
  ]?.id as string;
  await ask('PATCH', `/api/conversations/${conversation}`, { sharedWith: 'workspace' });
  const turn = (await ask('POST', `/api/conversations/${conversation}/turns`, { message: 'Hello.' }))['turn']
    ?.id as string;
  await api.database
    .system('turns')
    .where({ id: turn })
    .update({ status: 'completed', answer: 'Hello.', settled_at: new Date() });
  const document = toDocument('own', '  - rest: { wait: { hours: 1 } }');
  const routine = (await ask('POST', '/api/routines', { agentId: agent, document }))['routine']?.id as string;
  const swarm = (await ask('POST', '/api/swarms', toSwarm(agent)))['swarm']?.id as string;
  ids = { agent, conversation, turn, routine, swarm };
});

const toSwarm = (assignee: string) => ({
  ...{ kind: 'rich', goal: 'Goal', subtasks: [{ id: 'a', description: 'Work', assignee }] },
});

function createUpload(): FormData {
  const form = new FormData();
  form.append('file', new Blob(['A secret of both.'], { type: 'text/plain' }), 'note.txt');
  return form;
}

/** The requests that make something under an `Idempotency-Key`. */
const requests: Record<string, () => [path: string, body: object | FormData]> = {
  createTurn: () => [
    `/api/conversations/${ids.conversation}/turns`,
    { message: 'Again.', onBusy: 'enqueue' },
  ],
  forkConversation: () => [`/api/conversations/${ids.conversation}/fork`, { turnId: ids.turn, run: false }],
  createFile: () => ['/api/files', createUpload()],
  startRoutineRun: () => [`/api/routines/${ids.routine}/runs`, {}],
  createSwarm: () => ['/api/swarms', toSwarm(ids.agent)],
  createResource: () => [
    '/api/resources',
    {
      ...{ kind: 'memory' },
      attributes: { scope: 'workspace', content: 'It rains.' },
    },
  ],
};

async function send(key: string, [path, body]: [string, object | FormData], idempotencyKey: string) {
  const isForm = body instanceof FormData;
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  const answer = (await response.json()) as Pick<ApiAnswer, 'data' | 'error'>;
  return { status: response.status, ...answer, text: JSON.stringify(answer) };
}

/** The id of what a request has made. */
function toId({ data }: Pick<ApiAnswer, 'data'>): string {
  const [made] = Object.values(data as unknown as Record<string, { id: string }>);
  return made?.id ?? '';
}

test('every request that takes a key and makes something is tested', () => {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[] }>>;
  };
  const named = Object.values(document.paths).flatMap((path) =>
    Object.values(path)
      .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'idempotency-key'))
      .map(({ operationId }) => operationId),
  );
  // A change of a swarm under a key changes one that the caller sees, and makes nothing.
  expect(named.filter((id) => id !== 'updateSwarm').sort()).toEqual(Object.keys(requests).sort());
});

test.each(Object.keys(requests).filter((name) => name !== 'createResource'))(
  '%s: the key of one person finds nothing of another, and finds the own thing again',
  async (name) => {
    const key = `order-${name}`;
    const request = () => requests[name]?.() ?? ['', {}];
    const first = await send(keys.bob, request(), key);
    expect([200, 201, 202], first.text).toContain(first.status);
    const other = await send(keys.ann, request(), key);
    expect(other).toMatchObject({ status: 409, error: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(other.text).not.toContain(toId(first));
    expect(toId(await send(keys.bob, request(), key))).toBe(toId(first));
    expect(toId(await send(api.key, request(), key))).toBe(toId(first));
  },
);

test('an upload that another person begins under the same key does not end the one that runs', async () => {
  const unfinished = await send(keys.bob, ['/api/files', createUpload()], 'slow');
  const id = toId(unfinished);
  await api.database.system('files').where({ id }).update({ is_whole: false });
  const other = await send(keys.ann, ['/api/files', createUpload()], 'slow');
  expect(other).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
  expect(await api.database.system('files').where({ id }).pluck('person')).toEqual(['bob']);
});
