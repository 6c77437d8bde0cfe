import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { mcpTool } from '../../../labs/lab-tools.ts';
import { expectNothingDropped, lostCalls } from '../../../labs/lost-calls.ts';
import { startTurnLab, type TurnLab } from '../../../labs/turn-lab.ts';
import { startGatedShop, type GatedShop } from '../../../servers/gated-shop.ts';

let lab: TurnLab;
let shop: GatedShop;

beforeAll(async () => {
  shop = await startGatedShop();
  lab = await startTurnLab({ mcpServers: { lab: { url: shop.url } } });
});

afterAll(async () => {
  shop.open();
  await lab.close();
  await shop.close();
});

const tools = [mcpTool('book', { effect: 'keyed' }), mcpTool('look', { effect: 'read_only' })];

test('the calls of a turn whose worker has lost it run again, and only those without a key may be unknown', async () => {
  const scene = await lab.scene({
    execution: 'direct',
    tools: [...tools, mcpTool('pay', { effect: 'unsafe' })],
  });
  scene.reply({ toolCalls: lostCalls }, { text: 'Done.' });
  const turnId = await scene.say('Book, look and pay.');
  await shop.waitForCalls(3);
  // A worker that has never had a lease.
  await lab.database.system('turns').where({ id: turnId }).update({ direct_owner: newId() });
  // The keyed call and the one that only reads are sent again, by the workflow of the turn.
  await Promise.race([shop.waitForCalls(5), lab.waitUntilSettled(turnId)]);
  shop.open();

  await expectNothingDropped({ lab, shop }, turnId);
  expect(scene.requests()).toHaveLength(2);
});
