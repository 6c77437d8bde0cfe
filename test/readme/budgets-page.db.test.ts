import path from 'node:path';
import { expect, test } from 'vitest';
import { priceList } from '../../src/domain/price-list.ts';
import { shareApi } from '../labs/shared-api.ts';
import { runTyped } from '../labs/typed-command.ts';
import { listCommands, readPage } from './tool-pages.ts';

/** The program of the checkout in place of the package. */
const program = `'${process.execPath}' '${path.resolve('src/main/holdfast.ts')}'`;

test('the requests and commands of docs/budgets.md and docs/prices.md work as they are written', async () => {
  await using stack = new AsyncDisposableStack();
  const api = await shareApi();
  stack.defer(api.stop);
  const variables = { HOLDFAST_API_KEY: api.key, HOLDFAST_URL: api.url };
  const printed: string[] = [];
  const pages = [readPage('docs/prices.md'), readPage('docs/budgets.md')];
  for (const { command } of pages.flatMap(listCommands)) {
    const typed = command.replaceAll('npx holdfast', program).replaceAll('curl ', 'curl --silent ');
    printed.push(await runTyped(typed, { variables }));
  }

  const [prices = '', budget = '', each = '', lists = '', withMessage = '', usage = '', table = ''] = printed;
  expect(JSON.parse(prices)).toMatchObject({
    data: { version: priceList.version, own: { '*': { input: 2, output: 8 } } },
  });
  expect(JSON.parse(budget)).toMatchObject({
    data: { budget: { scope: 'user', subject: 'Ada Lovelace', credits: '2000000', spent: '0' } },
  });
  expect(JSON.parse(each)).toMatchObject({
    data: { budget: { scope: 'user', subject: null, each: true, credits: '500000', spent: '0' } },
  });
  expect(lists.match(/\$0\.00 of \$5\.00 spent/g)).toHaveLength(2);
  expect(lists).toContain('user Ada Lovelace  day  $0.00 of $2.00 spent, $0.00 reserved');
  expect(lists).toContain('each user  month  $0.50 each, $0.00 spent by all');
  expect(withMessage).toContain('each user  day  $0.50 each');
  expect(JSON.parse(usage)).toMatchObject({ data: { usage: [], nextCursor: null } });
  expect(table).toContain('No calls from');
});
