import { expect, expectTypeOf, it } from 'vitest';
import type { Change as ServedChange } from '../../../src/modules/changes/change.ts';
import { createHoldfastClient, type Change, type ChangeEvent } from '../../../src/clients/client/index.ts';
import { failWith, quickRetry, startScriptedApi, streamFrames } from '../../servers/scripted-api.ts';

const route = 'GET /api/changes';
const change: Change = { type: 'turn', id: 'a', status: 'running', conversationId: 'b', at: '2026-01-02' };
const changes = { type: 'changes', changes: [change] } as const;

const toFrame = (id: string, data: { type: string }) =>
  `id: ${id}\nevent: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

it('the client follows changes across interruptions, after the last event that it has got', async () => {
  const api = await startScriptedApi({
    [route]: [
      streamFrames([toFrame('e.1:1:', { type: 'reset' })], 'break'),
      streamFrames([toFrame('e.2:4:3', changes)]),
      failWith(401, { code: 'UNAUTHORIZED', message: 'No.' }),
    ],
  });
  const client = createHoldfastClient({ ...api, retry: quickRetry });
  const events: ChangeEvent[] = [];
  const following = (async () => {
    for await (const event of client.changes.follow({ lastEventId: 'e.0:0:' })) events.push(event);
  })();
  await expect(following).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(events).toEqual([
    { type: 'reset', lastEventId: 'e.1:1:' },
    { ...changes, lastEventId: 'e.2:4:3' },
  ]);
  expect(api.to(route).map(({ headers }) => headers['last-event-id'])).toEqual([
    'e.0:0:',
    'e.1:1:',
    'e.2:4:3',
  ]);
});

it('the client knows the changes that the API sends', () => {
  expectTypeOf<Change>().toEqualTypeOf<ServedChange>();
});
