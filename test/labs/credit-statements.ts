import type { Knex } from 'knex';
import { createBudgetRepository } from '../../src/modules/credits/budgets/budget-repository.ts';
import { createCreditLedgerRepository } from '../../src/modules/credits/credit-ledger-repository.ts';
import { createCreditSweepRepository } from '../../src/modules/credits/credit-sweep-repository.ts';
import { createEmbeddingCostRepository } from '../../src/modules/credits/embedding-cost-repository.ts';
import { createModelFigures } from '../../src/modules/credits/usage/model-figures.ts';
import { createSwarmLimitRepository } from '../../src/modules/credits/budgets/swarm-limit-repository.ts';
import { createUsageFigures } from '../../src/modules/credits/usage/usage-figures.ts';
import type { Query } from '../../src/platform/database/statement.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { modelGroups } from '../../src/domain/analytics.ts';
import { usageGroups } from '../../src/domain/usage-report.ts';
import { largeHour, runningConversation, toRowId } from './large-tables.ts';

const { turnId } = runningConversation;
const named = { kind: 'embedding', name: 'demo', credits: 10n } as const;

/** Statements that run for each call that a budget counts, and for each embedding. */
export const stepsOfCredits: [string, (query: Query) => Promise<unknown>][] = [
  [
    'reserving the cost of a call',
    (query) =>
      createCreditLedgerRepository(query).reserve({
        ...{ sourceId: turnId, part: 'model/2', kind: 'model', name: 'demo', credits: 10n },
      }),
  ],
  [
    'reserving the cost of a search',
    (query) =>
      createCreditLedgerRepository(query).reserve({ ...named, sourceId: turnId, part: 'embedding/1' }),
  ],
  [
    'reserving the cost of the texts of a document',
    (query) =>
      createCreditLedgerRepository(query).reserve({
        ...{ ...named, sourceId: newId(), part: 'embedding/1/0' },
      }),
  ],
  [
    'storing the cost of an embedding',
    (query) =>
      createEmbeddingCostRepository(query).settle({
        ...{ sourceId: turnId, part: 'embedding/1', model: 'demo', credits: 10n },
      }),
  ],
  ['counting what was settled', (query) => createCreditLedgerRepository(query).countSettled()],
  [
    'releasing a reservation',
    (query) => createCreditLedgerRepository(query).release({ sourceId: turnId, part: 'model/1' }),
  ],
  [
    'the rest of the limit of a swarm',
    (query) => createSwarmLimitRepository(query).findLeft([toRowId('swarm', 1)]),
  ],
];

/** Statements that run for each request about budgets and usage. */
export const listsOfCredits: [string, (trx: Knex) => Promise<unknown>][] = [
  ['the budgets with their sums', (trx) => createBudgetRepository(trx).listBudgets({ limit: 20 })],
  [
    'what each has spent of a budget',
    (trx) => createBudgetRepository(trx).listShares(newId(), { offset: 0, limit: 20 }),
  ],
  [
    'the usage of a time',
    (trx) =>
      createUsageFigures(trx, {}).sumCalls({
        ...{ ...largeHour, groupBy: [...usageGroups], offset: 0, limit: 100 },
      }),
  ],
  [
    'the usage of a conversation in a time',
    (trx) =>
      createUsageFigures(trx, {}).sumCalls({
        ...{ ...largeHour, groupBy: ['model'], offset: 0, limit: 100 },
        conversationId: runningConversation.conversationId,
      }),
  ],
  [
    'the figures of models in a time',
    (trx) =>
      createModelFigures(trx, {}).countModelCalls({ ...largeHour, groupBy: [...modelGroups], limit: 100 }),
  ],
  [
    'the figures of a model and an agent in a time',
    (trx) =>
      createModelFigures(trx, {}).countModelCalls({
        ...{ ...largeHour, groupBy: ['day'], limit: 100, model: 'demo', agentId: toRowId('agent', 4000) },
      }),
  ],
];

/** Statements that run once in each round of the sweeper, for all workspaces. */
export const sweepsOfCredits: [string, (system: Knex) => Promise<unknown>][] = [
  ['giving back reservations', (system) => createCreditSweepRepository(system).releaseLeft(0)],
  ['calls that no budget has counted', (system) => createCreditSweepRepository(system).listUncounted(200)],
];
