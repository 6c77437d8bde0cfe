import { beforeEach, describe, expect, test } from 'vitest';
import {
  createDirectTurnRepository,
  leaseMs,
  type DirectTurnRepository,
} from '../../../../src/modules/turns/direct/direct-turn-repository.ts';
import { unowned } from '../../../../src/modules/turns/turn-rows.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTurnRows } from '../../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);
let worker: DirectTurnRepository;
let other: DirectTurnRepository;
let workerId: string;
let otherId: string;

beforeEach(async () => {
  await rows.database.system('turns').whereNotNull('direct_owner').update({ direct_owner: null });
  [workerId, otherId] = [newId(), newId()];
  worker = createDirectTurnRepository(rows.database, workerId);
  other = createDirectTurnRepository(rows.database, otherId);
});

/** A running turn that began a second ago, has the usual 120 s, and gets these columns. */
async function addTurn(columns: object = {}): Promise<string> {
  const { turn } = await rows.submit(await rows.createConversation());
  await rows.database
    .system('turns')
    .where({ id: turn.id })
    .update({
      started_at: ago(1),
      deadline_at: ago(-119),
      direct_owner: unowned,
      ...columns,
    });
  return turn.id;
}

const ago = (seconds: number) => rows.database.system.raw(`now() - interval '${seconds} s'`);
const noneKnown = { running: [], taken: [], takesUnknown: true };

/** Sets the time at which a worker has renewed its lease. */
const renewedAgo = (id: string, seconds: number) =>
  rows.database
    .system('direct_workers')
    .insert({ id, alive_at: ago(seconds) })
    .onConflict('id')
    .merge();

const ownerOf = async (id: string) => {
  const row = await rows.database.system('turns').where({ id }).first<{ direct_owner: string | null }>();
  return row.direct_owner;
};

test('one of two workers gets a turn, and a turn with a workflow is for none', async () => {
  const turnId = await addTurn();
  const claims = await Promise.all([worker.claim({ turnId }), other.claim({ turnId })]);
  expect(claims.toSorted()).toEqual([false, true]);
  expect(await worker.claim({ turnId: await addTurn({ direct_owner: null }) })).toBe(false);
});

test('a worker releases its own turns only', async () => {
  const turnId = await addTurn();
  await worker.claim({ turnId });
  await other.release(turnId);
  expect(await ownerOf(turnId)).toBe(workerId);
  await worker.release(turnId);
  expect(await ownerOf(turnId)).toBeNull();
});

describe('lost turns', () => {
  test('are those of a worker without a current lease, and not those of one that renews it', async () => {
    await renewedAgo(otherId, leaseMs / 1000 + 1);
    const lost = await addTurn({ direct_owner: otherId });
    const aliveId = newId();
    await createDirectTurnRepository(rows.database, aliveId).renewLease();
    await addTurn({ direct_owner: aliveId });

    expect(await worker.takeLost(noneKnown)).toMatchObject([{ id: lost }]);
    expect(await ownerOf(lost)).toBe(workerId);
    expect(await worker.takeLost({ ...noneKnown, taken: [lost] })).toEqual([]);
  });

  test('get the time back in which their worker was lost, and no time that it has used', async () => {
    await renewedAgo(otherId, 60);
    await addTurn({ direct_owner: otherId, started_at: ago(100), deadline_at: ago(-20) });
    const [lost] = await worker.takeLost(noneKnown);
    // 20 s and the 60 s without a worker, less 15 s in which the turn is settled.
    expect(lost?.timeLeftMs).toBeGreaterThan(64_000);
    expect(lost?.timeLeftMs).toBeLessThanOrEqual(65_100);
  });

  test('are those that wait for a decision too', async () => {
    await renewedAgo(otherId, 60);
    const waiting = await addTurn({ direct_owner: otherId, status: 'waiting_for_approval' });
    expect(await worker.takeLost(noneKnown)).toMatchObject([{ id: waiting }]);
  });

  test('of an unknown worker are left while leases may be missing, and get their whole time then', async () => {
    const lost = await addTurn({ direct_owner: otherId, deadline_at: ago(-5) });
    expect(await worker.takeLost({ ...noneKnown, takesUnknown: false })).toEqual([]);
    const [taken] = await worker.takeLost(noneKnown);
    expect(taken?.id).toBe(lost);
    expect(taken?.timeLeftMs).toBeGreaterThan(100_000);
  });

  test('are offers that no worker takes, until the turn has waited for too long', async () => {
    await addTurn();
    const waiting = await addTurn({ started_at: ago(3) });
    await addTurn({ started_at: ago(700), start_timeout_ms: 600_000 });
    expect((await worker.takeLost(noneKnown)).map(({ id }) => id)).toEqual([waiting]);
  });

  test("are a worker's own that it does not run", async () => {
    await worker.renewLease();
    const [running, left] = [await addTurn(), await addTurn()];
    for (const turnId of [running, left]) await worker.claim({ turnId });
    expect(await worker.takeLost({ ...noneKnown, running: [running] })).toMatchObject([{ id: left }]);
  });

  test('are turns past their deadline, with a moment for their ending', async () => {
    await worker.renewLease();
    const turnId = await addTurn({ deadline_at: ago(1) });
    await worker.claim({ turnId });
    const lost = await worker.takeLost({ ...noneKnown, running: [turnId] });
    expect(lost).toMatchObject([{ id: turnId, timeLeftMs: 1_000 }]);
  });

  test('are taken by one of two workers', async () => {
    await renewedAgo(otherId, 60);
    const turnId = await addTurn({ direct_owner: otherId });
    const third = createDirectTurnRepository(rows.database, newId());
    await Promise.all([worker.renewLease(), third.renewLease()]);
    const taken = await Promise.all([worker.takeLost(noneKnown), third.takeLost(noneKnown)]);
    expect(taken.flat()).toMatchObject([{ id: turnId }]);
  });
});

test('a worker finds out which of its turns it has lost, and which were asked to stop', async () => {
  const [kept, lost, stopped] = [await addTurn(), await addTurn(), await addTurn()];
  for (const turnId of [kept, lost, stopped]) await worker.claim({ turnId });
  await rows.database.system('turns').where({ id: lost }).update({ direct_owner: null });
  await rows.database
    .system('turns')
    .where({ id: stopped })
    .update({ cancel_requested_at: ago(0) });
  const found = await worker.listStopped([kept, lost, stopped]);
  expect(new Map(found.map(({ id, isLost }) => [id, isLost]))).toEqual(
    new Map([
      [lost, true],
      [stopped, false],
    ]),
  );
});
