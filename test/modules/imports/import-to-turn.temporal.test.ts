import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/domain/json.ts';
import type { ToolInput } from '../../../src/domain/tool.ts';
import { startLabApi } from '../../labs/lab-api.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';
import { readPage } from '../../readme/tool-pages.ts';
import { startVendorServer } from '../../servers/vendor-server.ts';

interface Offered {
  tools: { name: string; description: string; inputSchema: JsonObject }[];
}

const bodies = readPage('docs/importing-apis.md').blocks;

/** The body of a request of the page, with its document as text. */
function toBody(command: string, document: string): JsonObject {
  const [, given = ''] = /'(\{[^']*\})'/.exec(command) ?? [];
  const named = given.replace('$document', '"document": ""').replaceAll(/([{,] )(\w+):/g, '$1"$2":');
  const body = JSON.parse(named) as JsonObject;
  return 'document' in body ? { ...body, document } : body;
}

test('the example of docs/importing-apis.md becomes tools whose calls reach the API, and errors reach the model', async () => {
  await using stack = new AsyncDisposableStack();
  const keys = `lab:${randomBytes(32).toString('base64')}`;
  const lab = await startTurnLab({ environment: { HOLDFAST_ENCRYPTION_KEYS: keys } });
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const server = await startVendorServer(({ method, target }) => {
    if (target.includes('tag=lost')) return { status: 404, body: { error: { message: 'No pet is lost.' } } };
    return { body: method === 'POST' ? { id: 7 } : [{ id: 7, name: 'Rex' }] };
  });
  stack.defer(server.close);

  const yaml = bodies.find(({ language }) => language === 'yaml')?.text ?? '';
  const document = yaml.replace('https://pets.example/v1', `${server.url}/v1`);
  const [dryRun = '', store = '', connect = ''] = bodies
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
  const dry = await api.ask<JsonObject>('POST', '/api/providers/import', toBody(dryRun, document));
  expect(dry).toMatchObject({
    stored: false,
    warnings: [],
    operations: [{ name: 'listPets' }, { name: 'addPet' }],
  });
  await api.ask('POST', '/api/providers/import', toBody(store, document));
  const { connection } = await api.ask<{ connection: { id: string } }>(
    ...(['POST', '/api/connections', toBody(connect, '')] as const),
  );
  const { tools: offered } = await api.ask<Offered>('GET', `/api/connections/${connection.id}/mcp-tools`);
  const tested = await api.ask<{ test: JsonObject }>('POST', `/api/connections/${connection.id}/test`);
  expect(tested.test).toMatchObject({ ok: true });

  const tools = offered.map(({ name, description, inputSchema: schema }): ToolInput => {
    return {
      type: 'mcp',
      name,
      description,
      schema,
      config: { connectionId: connection.id, provider: 'pets' },
    };
  });
  const scene = await lab.scene({ tools });
  const calls: { name: string; arguments: JsonObject }[] = [
    { name: 'pets_listPets', arguments: { tag: 'dog' } },
    { name: 'pets_addPet', arguments: { name: 'Rex' } },
    { name: 'pets_listPets', arguments: { tag: 'lost' } },
    { name: 'pets_addPet', arguments: { tag: 'dog' } },
  ];
  scene.reply({ toolCalls: calls }, { text: 'Done.' });
  const turn = await lab.waitForOutcome(await scene.say('Add Rex.'));
  expect([turn.status, turn.answer]).toEqual(['completed', 'Done.']);

  const ledger = await lab.readLedger(turn.id);
  expect(ledger.map(({ status, effect }) => [status, effect])).toEqual([
    ['succeeded', 'read_only'],
    ['succeeded', 'keyed'],
    ['failed', 'read_only'],
    ['failed', 'keyed'],
  ]);
  expect(ledger[0]?.result).toContain('Rex');
  expect(ledger[2]?.error).toMatchObject({ message: 'Pet Store: No pet is lost.' });
  expect(ledger[3]?.error).toMatchObject({ code: 'INVALID_TOOL_ARGUMENTS' });
  const added = server.requests.find(({ method }) => method === 'POST');
  expect(added).toMatchObject({ target: '/v1/pets', body: '{"name":"Rex"}' });
  expect(added?.headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
  expect(server.requests.every(({ headers }) => headers.authorization === 'Bearer a token of the shop')).toBe(
    true,
  );

  // The next version counts at once, in the process of the worker too.
  const second = document.replace('operationId: addPet', 'operationId: insertPet').replace('path: /pets', '');
  const changed = await api.ask<JsonObject>('POST', '/api/providers/import', {
    ...{ name: 'pets', document: second, force: true },
    effects: { listPets: 'unsafe' },
  });
  expect(isJsonObject(changed.changes) && changed.changes).toMatchObject({
    added: ['insertPet'],
    removed: ['addPet'],
    changed: ['listPets'],
  });
  scene.reply({ toolCalls: calls.slice(0, 2) }, { text: 'Gone.' });
  const later = await lab.waitForOutcome(await scene.say('Add another one.'));
  const laterCalls = await lab.readLedger(later.id);
  expect(laterCalls.map(({ status, effect }) => [status, effect])).toEqual([
    ['succeeded', 'unsafe'],
    ['failed', 'unsafe'],
  ]);
  expect(laterCalls[1]?.error).toMatchObject({ code: 'UNKNOWN_TOOL' });
});
