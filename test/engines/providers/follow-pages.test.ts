import { expect, test } from 'vitest';
import type { RecordedRequest } from '../../servers/vendor-server.ts';
import { startBazaar } from './bazaar-lab.ts';

function numberOf({ target }: RecordedRequest, name: string): number {
  return Number(new URL(target, 'http://vendor').searchParams.get(name));
}

test('pages of a cursor are followed to the end, and every item is trimmed', async () => {
  const bazaar = await startBazaar();
  const thing = (id: number) => ({
    id,
    secret: 'x',
    owner: { name: 'Ana', age: 7 },
    tags: [{ label: 'a', n: 1 }],
  });
  bazaar.server.next(
    { body: { things: [thing(1)], page: { next: 'c 2' } } },
    { body: { things: [thing(2)], page: { next: '' } } },
  );
  const kept = (id: number) => ({ id, owner: { name: 'Ana' }, tags: [{ label: 'a' }] });
  expect(await bazaar.read('listByCursor', { colour: 'red' })).toEqual({
    count: 2,
    more: false,
    items: [kept(1), kept(2)],
  });
  expect(bazaar.targets()).toEqual(['/things?colour=red&limit=50', '/things?colour=red&limit=50&cursor=c+2']);
});

test('a list ends at max_items with a marker before the items, and goes on from there', async () => {
  const bazaar = await startBazaar(({ target }) => ({
    body: { things: [{ id: target }, { id: 'b' }], page: { next: target.includes('cursor') ? null : 'n' } },
  }));
  const first = await bazaar.call('listByCursor', { max_items: 2 });
  expect(first.status === 'succeeded' && first.text).toMatch(
    /^\{"count":2,"more":true,"continue_from":"n","note":/,
  );
  expect(await bazaar.read('listByCursor', { max_items: 2, continue_from: 'n' })).toMatchObject({
    more: false,
  });
  expect(bazaar.targets()).toEqual(['/things?limit=2', '/things?limit=2&cursor=n']);
});

test('a page is not smaller than the vendor allows', async () => {
  const bazaar = await startBazaar(() => ({ body: { things: [{ id: 1 }, { id: 2 }], page: { next: 'n' } } }));
  expect(await bazaar.read('listByCursor', { max_items: 1 })).toMatchObject({ count: 2, continue_from: 'n' });
  expect(bazaar.targets()).toEqual(['/things?limit=2']);
});

test('fields of paging that tools stored earlier have are taken', async () => {
  const bazaar = await startBazaar(() => ({ body: { things: [{ id: 1 }, { id: 2 }], page: { next: 'n' } } }));
  expect(await bazaar.read('listByCursor', { limit: 2, cursor: 'old' })).toMatchObject({
    continue_from: 'n',
  });
  expect(bazaar.targets()).toEqual(['/things?limit=2&cursor=old']);
});

test('the id of the last item can be the cursor, in the body of the request', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next(
    { body: { data: [{ id: 'a' }, { id: 'b' }], has_more: true } },
    { body: { data: [{ id: 'c' }], has_more: false } },
  );
  expect(await bazaar.read('listByLastId', {})).toMatchObject({ count: 3, more: false });
  expect(bazaar.server.requests.map(({ body }) => body)).toEqual(['{}', '{"after":"b"}']);
});

test('numbered pages end with a short one, and a place has the size of its pages', async () => {
  const bazaar = await startBazaar((request) => ({
    body: { things: numberOf(request, 'page') === 3 ? [5] : [1, 2].slice(0, numberOf(request, 'per')) },
  }));
  expect(await bazaar.read('listByPage', {})).toEqual({ count: 5, more: false, items: [1, 2, 1, 2, 5] });
  expect(bazaar.targets()).toEqual(['/pages?per=2', '/pages?per=2&page=2', '/pages?per=2&page=3']);
  bazaar.server.requests.length = 0;
  expect(await bazaar.read('listByPage', { max_items: 1 })).toMatchObject({
    continue_from: '2/1',
    items: [1],
  });
  expect(await bazaar.read('listByPage', { continue_from: '2/1', max_items: 9 })).toMatchObject({
    more: true,
  });
  expect(bazaar.targets().slice(0, 2)).toEqual(['/pages?per=1', '/pages?per=1&page=2']);
});

test('an offset counts the items that came', async () => {
  const bazaar = await startBazaar((request) => ({
    body: { values: [1, 2, 3], more: numberOf(request, 'startAt') < 6 },
  }));
  expect(await bazaar.read('listByOffset', {})).toMatchObject({ count: 9, more: false });
  expect(bazaar.targets()).toEqual(['/offsets', '/offsets?startAt=3', '/offsets?startAt=6']);
});

test('of a link in a header or in the body only the query is used', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next(
    {
      body: [1],
      headers: {
        link: '<https://x.example/a?p=1>; rel="prev", <https://x.example/admin?p=3&q=%20>; rel="next"',
      },
    },
    { body: [2] },
    { body: { value: [1], '@odata.nextLink': 'https://graph.example/v1/odata?$skiptoken=s' } },
    { body: { value: [2] } },
  );
  expect(await bazaar.read('listByLink', { state: 'open' })).toEqual({
    count: 2,
    more: false,
    items: [1, 2],
  });
  expect(await bazaar.read('listByBodyLink', {})).toMatchObject({ count: 2 });
  expect(bazaar.targets()).toEqual(['/links/open', '/links/open?p=3&q=+', '/odata', '/odata?%24skiptoken=s']);
});

test('a list without an end stops after ten pages or many characters', async () => {
  const bazaar = await startBazaar(() => ({ body: { data: [{ id: 'x' }], has_more: true } }));
  expect(await bazaar.read('listByLastId', { max_items: 1000 })).toMatchObject({ count: 10, more: true });
  bazaar.server.next({ body: { data: [{ id: 'y', text: 'x'.repeat(30_000) }], has_more: true } });
  expect(await bazaar.read('listByLastId', {})).toMatchObject({ count: 1, more: true, continue_from: 'y' });
});

test('an error on a later page keeps the items before it', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next(
    { body: { data: [{ id: 'a' }], has_more: true } },
    { status: 400, body: { message: 'Cursor too old' } },
  );
  expect(await bazaar.read('listByLastId', {})).toMatchObject({
    count: 1,
    more: true,
    continue_from: 'a',
    stopped_by: 'Bazaar: Cursor too old',
  });
});

test('an answer without the list comes back as it is', async () => {
  const bazaar = await startBazaar(() => ({ body: { nothing: true } }));
  expect(await bazaar.read('listByOffset', {})).toEqual({ nothing: true });
});

test('a place that is none is refused, and a query from the model cannot name a secret', async () => {
  const bazaar = await startBazaar(() => ({ body: [] }));
  expect(await bazaar.call('listByPage', { continue_from: 'next' })).toMatchObject({
    error: { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'continue_from' }] },
  });
  await bazaar.call('listByLink', { state: 'open', continue_from: 'q={token}#x' });
  expect(bazaar.targets()).toEqual(['/links/open?q=%7Btoken%7D%23x']);
});

test('further pages can have another path, whose last segment alone the answer decides', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next(
    { body: { things: [{ id: 1 }], size: 9, done: false, nextUrl: '/v9/shelves/01g-2' } },
    { body: { things: [{ id: 2 }], size: 9, done: false, nextUrl: 'https://x.example/v9/orders/01g-4?a=1' } },
    { body: { things: [{ id: 3 }], size: 9, done: true, nextUrl: '/v9/shelves/01g-6' } },
  );
  expect(await bazaar.read('listByOtherPath', { colour: 'red' })).toEqual({
    ...{ count: 3, total: 9, more: false },
    items: [{ id: 1 }, { id: 2 }, { id: 3 }],
  });
  expect(bazaar.targets()).toEqual([
    '/shelves?deep=true&colour=red',
    '/shelves/01g-2',
    '/shelves/01g-4%3Fa%3D1',
  ]);
});

test('a place that a model gives is one segment of the path, and cannot lead to another endpoint', async () => {
  const bazaar = await startBazaar(() => ({ body: { things: [], done: true } }));
  const list = (place: string) => bazaar.call('listByOtherPath', { colour: 'red', continue_from: place });
  await list('../orders?all=1#x');
  expect(bazaar.targets()).toEqual(['/shelves/..%2Forders%3Fall%3D1%23x']);
  for (const place of ['.', '..', 'a\ud800'])
    expect(await list(place)).toMatchObject({
      error: { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'continue_from' }] },
    });
  expect(bazaar.targets()).toHaveLength(1);
});

test('further pages can have a request of their own, which has the cursor alone', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next(
    { body: { things: [1, 2], cursor: 'c1', has_more: true } },
    { body: { things: [3], cursor: 'c2', has_more: false } },
    { body: { things: [4], cursor: 'c3', has_more: false } },
  );
  expect(await bazaar.read('listByOtherCall', { colour: 'red' })).toMatchObject({ count: 3, more: false });
  expect(await bazaar.read('listByOtherCall', { colour: 'red', continue_from: '/x' })).toMatchObject({
    items: [4],
  });
  expect(bazaar.server.requests.map(({ target, body }) => [target, body])).toEqual([
    ['/boxes', '{"colour":"red","limit":2}'],
    ['/boxes/continue', '{"cursor":"c1"}'],
    ['/boxes/continue', '{"cursor":"/x"}'],
  ]);
});

test('fields of paging can be in an object, which keeps those that the model has set', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next({ body: { things: [1, 2], next: 'n' } }, { body: { things: [3], next: null } });
  expect(await bazaar.read('listByInnerFields', { page: { order: 'up' } })).toMatchObject({ count: 3 });
  expect(bazaar.server.requests.map(({ body }) => body)).toEqual([
    '{"page":{"order":"up","size":2}}',
    '{"page":{"order":"up","size":2,"after":"n"}}',
  ]);
});

test('an answer can say that it is the last page, also one that has items', async () => {
  const bazaar = await startBazaar();
  bazaar.server.next({ body: { things: [1], last_page: false } }, { body: { things: [2], last_page: true } });
  expect(await bazaar.read('listUntilLast', {})).toEqual({ count: 2, more: false, items: [1, 2] });
  expect(bazaar.targets()).toEqual(['/last', '/last?page=1']);
});
