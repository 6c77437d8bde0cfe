import { expect, test } from 'vitest';
import { createBudget } from '../../../src/modules/credits/budgets/change-budgets.ts';
import { createBudgetRepository } from '../../../src/modules/credits/budgets/budget-repository.ts';
import {
  createCreditLedgerRepository,
  type Reservation,
} from '../../../src/modules/credits/credit-ledger-repository.ts';
import { startCrashingDatabase } from '../../labs/crashing-postgres.ts';
import { createAnswer, openTurnRows, type RowRef, type TurnRows } from '../../labs/turn-rows.ts';

const callCredits = 100n;
const callCount = 20;

interface Call {
  place: RowRef;
  turnId: string;
}

function startTurns(rows: TurnRows, workspaceId: string): Promise<Call[]> {
  return Promise.all(
    Array.from({ length: callCount }, async () => {
      const place = await rows.createConversation({}, workspaceId);
      return { place, turnId: (await rows.submit(place)).turn.id };
    }),
  );
}

function reserve({ database }: TurnRows, { place, turnId }: Call): Promise<Reservation | null> {
  const call = { part: 'model/1', kind: 'model', name: 'demo', credits: callCredits } as const;
  return database.pipelined(place.workspaceId, (query) =>
    createCreditLedgerRepository(query).reserve({ ...call, sourceId: turnId }),
  );
}

function settle(rows: TurnRows, { place, turnId }: Call): Promise<boolean> {
  return rows.storeAnswer(place, createAnswer(turnId, { credits: callCredits }));
}

test('a crash of Postgres loses no reservation of a call that is made', async () => {
  const server = await startCrashingDatabase();
  const before = await openTurnRows(server.open());
  const { workspaceId, ...place } = await before.createConversation();
  const input = { scope: 'workspace', period: 'total', credits: callCredits * BigInt(callCount) } as const;
  const { id } = await createBudget(before, { workspaceId, ...place }, input);
  const running = await startTurns(before, workspaceId);
  const waiting = await startTurns(before, workspaceId);
  const reserved = await Promise.all(running.map((call) => reserve(before, call)));
  expect(reserved.map((one) => one?.breaks)).toEqual(running.map(() => false));
  await server.crash();
  await before.database.close();

  const after = await openTurnRows(server.open());
  const late = await Promise.all(
    waiting.map(async (call) => {
      const reservation = await reserve(after, call);
      return reservation?.breaks === false && settle(after, call);
    }),
  );
  await Promise.all(running.map((call) => settle(after, call)));
  const budget = await after.database.inWorkspace(workspaceId, (trx) =>
    createBudgetRepository(trx).getBudget(id),
  );
  expect(budget).toMatchObject({ spent: '2000', credits: '2000' });
  expect(late).toEqual(waiting.map(() => false));
  await after.close();
});
