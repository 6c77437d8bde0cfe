import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { actionStatuses } from '../../src/domain/action.ts';
import { listMissingScopes } from '../../src/domain/authorize.ts';
import { replayStatuses } from '../../src/domain/replay.ts';
import { routineRunStatuses } from '../../src/domain/routine.ts';
import { scopes } from '../../src/domain/scope.ts';
import { swarmStatuses } from '../../src/domain/swarm.ts';
import { unsettledStatuses } from '../../src/domain/turn-status.ts';
import { deliveryStatuses } from '../../src/domain/webhook.ts';
import { listReadableTypes } from '../../src/modules/changes/change.ts';
import { triggerDeliveryStatuses } from '../../src/modules/triggers/trigger.ts';
import { startLabApi } from '../labs/lab-api.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';
import { shareTurnLab } from '../labs/turn-lab.ts';
import { runTyped } from '../labs/typed-command.ts';
import { linkHoldfast } from './linked-package.ts';
import { listCommands, pinnedNode, readPage } from './tool-pages.ts';

const page = readPage('docs/changes.md');

test('the example of docs/changes.md prints what the page says', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await shareTurnLab();
  stack.defer(lab.close);
  const api = await startLabApi(lab);
  stack.defer(api.stop);
  const folder = createTemporaryFolder();
  linkHoldfast(folder);
  const [program] = page.blocks.filter(({ file }) => file !== undefined);
  writeFileSync(path.join(folder, program?.file ?? ''), program?.text ?? '');
  const [run] = listCommands(page);
  const variables = { ...pinnedNode, HOLDFAST_URL: api.url, HOLDFAST_API_KEY: api.key };
  expect(await runTyped(run?.command ?? '', { cwd: folder, variables })).toBe(`${run?.printed}\n`);
});

/** The rows of the table: each type with its statuses and the scope that it needs. */
const rows = new Map(
  [...page.text.matchAll(/^\| `(\w+)` +\| (.*?) +\| `(\S+)` +\|$/gm)].map(
    ([, type = '', statuses = '', scope]) => [
      type,
      { statuses: [...statuses.matchAll(/`(\w+)`/g)].map(([, status]) => status), scope },
    ],
  ),
);

test('docs/changes.md has every type of change, with the scope that reads it', () => {
  const types = listReadableTypes({ workspaceId: '' });
  expect([...rows.keys()]).toEqual(types);
  for (const [type, { scope }] of rows) {
    const holder = { workspaceId: '', scopes: scopes.filter((one) => one === scope) };
    expect(listMissingScopes(holder, 'changes.read')).toEqual([]);
    expect(listReadableTypes(holder)).toContain(type);
  }
});

test.each<[string, readonly string[]]>([
  ['turn', unsettledStatuses],
  ['action', actionStatuses],
  ['routine_run', routineRunStatuses],
  ['swarm', swarmStatuses],
  ['replay', replayStatuses],
  ['trigger_delivery', triggerDeliveryStatuses],
  ['webhook_delivery', deliveryStatuses],
])('docs/changes.md has every status of the type %s', (type, statuses) => {
  expect(rows.get(type)?.statuses).toEqual(statuses);
});
