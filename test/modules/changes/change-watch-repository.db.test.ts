import { describe, expect, test } from 'vitest';
import { createChangeWatchRepository } from '../../../src/modules/changes/change-watch-repository.ts';
import { openChangeRows, sendMessage } from '../../labs/change-rows.ts';
import { eventually } from '../../labs/eventually.ts';
import { openForTests } from '../../labs/open-for-tests.ts';

const rows = openForTests(openChangeRows);

describe('the removal of old notes', () => {
  const remove = (isStopped = () => false) =>
    createChangeWatchRepository(rows.database.system).removeOld(isStopped);

  const age = (workspaceId: string, hours: number) =>
    rows.database
      .system('changes')
      .where({ workspace_id: workspaceId })
      .update({ created_at: rows.database.system.raw('now() - make_interval(hours => ?)', [hours]) });

  /** Reads a position that shows every transaction up to those of the notes so far, or all but one. */
  async function readBehind(workspaceId: string, open?: string) {
    const [newest = '0'] = await rows.database
      .system('changes')
      .orderBy('xid', 'desc')
      .pluck<string[]>('xid');
    const isBehind = (xid: string) => xid === '' || xid === open || BigInt(xid) > BigInt(newest);
    return eventually(
      () => rows.readChanges(workspaceId),
      // Transactions in other databases of the cluster end in time.
      ({ cursor: { snapshot } }) => (snapshot.split(':')[2] ?? '').split(',').every(isBehind),
    );
  }

  test('removes those that are older than a day, and positions before them are incomplete', async () => {
    const workspaceId = await rows.createWorkspace();
    const before = await rows.readChanges(workspaceId);
    await rows.sendNow(workspaceId);
    await age(workspaceId, 25);
    const old = await readBehind(workspaceId);
    const kept = await rows.sendNow(workspaceId);
    expect(await remove()).toBe(1);
    expect(await rows.readChanges(workspaceId, before.cursor)).toMatchObject({
      isComplete: false,
      changes: [],
    });
    expect(await rows.readChanges(workspaceId, old.cursor)).toMatchObject({
      isComplete: true,
      changes: [{ id: kept }],
    });
    expect(await remove()).toBe(0);
  });

  test('leaves positions complete when it removes nothing, and stops when it shall', async () => {
    const workspaceId = await rows.createWorkspace();
    const { cursor } = await readBehind(workspaceId);
    const sent = await rows.sendNow(workspaceId);
    await age(workspaceId, 23);
    await remove();
    expect(await rows.readChanges(workspaceId, cursor)).toMatchObject({
      isComplete: true,
      changes: [{ id: sent }],
    });
    await age(workspaceId, 25);
    expect(await remove(() => true)).toBe(0);
    expect((await rows.readChanges(workspaceId, cursor)).changes).toHaveLength(1);
  });

  test('makes positions behind a transaction that stays open incomplete only when it ends', async () => {
    const [workspaceId, other] = [await rows.createWorkspace(), await rows.createWorkspace()];
    const open = await rows.begin(other);
    await sendMessage(open.trx);
    const found = await open.trx.raw<{ rows: [{ xid: string }] }>('SELECT pg_current_xact_id() AS xid');
    await rows.sendNow(workspaceId);
    await age(workspaceId, 25);
    const { cursor } = await readBehind(workspaceId, found.rows[0].xid);
    const kept = await rows.sendNow(workspaceId);
    await remove();
    expect(await rows.readChanges(workspaceId, cursor)).toMatchObject({
      isComplete: true,
      changes: [{ id: kept }],
    });
    await open.commit();
    expect(await rows.readChanges(workspaceId, cursor)).toMatchObject({ isComplete: false });
  });
});

test('the workspaces with new notes are listed, of those that have readers', async () => {
  const { listChanged } = createChangeWatchRepository(rows.database.system);
  const [changed, quiet, unread] = [
    await rows.createWorkspace(),
    await rows.createWorkspace(),
    await rows.createWorkspace(),
  ];
  const first = await listChanged(null, [changed, quiet]);
  expect(first.workspaceIds).toEqual([]);
  const open = await rows.begin(quiet);
  await sendMessage(open.trx);
  for (const workspaceId of [changed, unread]) await rows.sendNow(workspaceId);
  const second = await listChanged(first.snapshot, [changed, quiet]);
  expect(second.workspaceIds).toEqual([changed]);
  await open.commit();
  expect((await listChanged(second.snapshot, [changed, quiet])).workspaceIds).toEqual([quiet]);
});
