import type { Database } from '../../platform/database/connect-database.ts';
import { startCallClock } from '../../platform/lib/call-clock.ts';
import { createCreditLedgerRepository } from './credit-ledger-repository.ts';
import { createModelCallRepository, type OpenModelCall } from './model-call-repository.ts';
import { toModelCredits } from '../../domain/credits.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { CallLanguageModel, ModelCall } from '../../domain/model.ts';
import { findPrice } from '../../domain/price-table.ts';
import { reserveAnswer } from './reserve-answer.ts';

/** A call of a model that is a tool call of a turn: the ledger has its answer and its cost. */
export interface LedgerModelCall {
  workspaceId: string;
  turnId: string;
  toolCallId: string;
  call: ModelCall;
}

interface ModelCallDependencies {
  database: Pick<Database, 'pipelined'>;
  callLanguageModel: CallLanguageModel;
}

/**
 * Calls a model and stores its answer with what it has cost. An answer that is stored is returned, so that no attempt pays
 * for it twice.
 * @throws HoldfastError `BUDGET_EXCEEDED`, `PRICE_UNKNOWN`; those of the model call
 */
export async function callModelOnce(
  { database, callLanguageModel }: ModelCallDependencies,
  asked: LedgerModelCall,
): Promise<string> {
  const { workspaceId, toolCallId, call } = asked;
  const open = await database.pipelined(workspaceId, (query) =>
    createModelCallRepository(query).findCall(toolCallId),
  );
  if (!open) throw new HoldfastError('TURN_SETTLED', 'The call is not in the ledger any more.');
  if (open.answer !== null) return open.answer;
  const limited = await reserve(database, asked, open);
  const toTime = startCallClock();
  try {
    const answer = await callLanguageModel(limited);
    const time = toTime();
    const credits = toModelCredits(answer.usage, findPrice(call.model, open.prices ?? {}));
    await database.pipelined(workspaceId, (query) =>
      createModelCallRepository(query).settleCall({ toolCallId, model: call.model, answer, credits, time }),
    );
    return answer.text;
  } catch (error) {
    // The next attempt reserves again. An answer that could not be stored is not paid for here, like one that was cut off.
    if (open.budgeted) await release(database, asked, open).catch(() => undefined);
    throw error;
  }
}

function toKey({ turnId }: LedgerModelCall, { iteration }: OpenModelCall) {
  return { sourceId: turnId, part: `model/${iteration}` };
}

async function reserve(
  database: ModelCallDependencies['database'],
  asked: LedgerModelCall,
  open: OpenModelCall,
): Promise<ModelCall> {
  const { workspaceId, call } = asked;
  if (!open.budgeted) return call;
  const price = findPrice(call.model, open.prices ?? {});
  const wanted = { ...toKey(asked, open), kind: 'model', name: call.model } as const;
  return reserveAnswer(call, {
    price,
    reserve: (credits) =>
      database.pipelined(workspaceId, (query) =>
        createCreditLedgerRepository(query).reserve({ ...wanted, credits }),
      ),
  });
}

function release(
  database: ModelCallDependencies['database'],
  asked: LedgerModelCall,
  open: OpenModelCall,
): Promise<void> {
  return database.pipelined(asked.workspaceId, (query) =>
    createCreditLedgerRepository(query).release(toKey(asked, open)),
  );
}
