import { operation, type CommandTable, type Given } from '../../../clients/cli/command-table.ts';
import { invalid, parseCredits } from '../../../clients/cli/option-values.ts';
import type { Budget, GetUsageResponse } from '../../../clients/client/index.ts';
import { toDollarText } from '../../../domain/dollars.ts';

const amount = {
  credits: { flags: '--credits <number>', text: 'its size in credits, millionths of a US dollar' },
  dollars: { flags: '--dollars <amount>', text: 'its size in US dollars, such as 2.50', parse: parseCredits },
  message: {
    text: 'what a person reads whose turn it ends; empty for the standard sentence',
    parse: (text: string) => (text === '' ? null : text),
  },
};

/** The commands of budgets, and of what calls have cost. */
export const commands: CommandTable = {
  budgets: 'Limit what calls may cost.',
  'budgets list': operation('listBudgets', {
    description: 'List the budgets of the workspace.',
    none: 'The workspace has no budgets.',
    line: toColumns,
  }),
  'budgets create [credits]': operation('createBudget', {
    description: 'Create a budget.',
    words: { credits: 'the same as --credits' },
    fields: {
      ...amount,
      scope: { default: 'workspace' },
      subject: { flags: '--subject <id or name>', text: 'the agent, conversation, user or swarm' },
      each: 'give every agent, conversation or user the amount, in place of --subject',
      period: { default: 'month' },
    },
    input: toAmount,
    line: toColumns,
  }),
  'budgets update <budget>': operation('updateBudget', {
    description: 'Change the size of a budget, or its message.',
    fields: amount,
    input: (given) => ('message' in given.input && !hasAmount(given) ? {} : toAmount(given)),
    line: toColumns,
  }),
  'budgets delete <budget>': operation('deleteBudget', {
    description: 'Delete a budget.',
    lines: (_, { id }) => `Budget ${id} is deleted.`,
  }),
  'budgets shares <budget>': operation('listBudgetShares', {
    description: 'List what each has spent of a budget that is for each.',
    find: (client, id) => client.budgets.get(id),
    none: 'Nothing is spent of this budget in its present period.',
    line: ({ subject, ...share }, { found: { credits } }) => [subject, toSpent({ credits, ...share })],
  }),
  usage: operation('getUsage', {
    description: 'Show what calls have cost.',
    fields: {
      groupBy: {
        flags: '--by <fields>',
        text: 'agent, model, conversation, user, day or kind',
        list: true,
        default: ['model'],
      },
      from: 'calls of this time or later (default: 30 days ago)',
      to: 'calls before this time',
      model: 'of this model',
      user: 'of this person',
      limit: 'so many groups (default: 100)',
    },
    input: ({ options }: Given<{ by: string[] }>) => ({ groupBy: options.by.join(',') }),
    lines: ({ from, to, usage }) =>
      usage.length === 0 ? `No calls from ${from} to ${to}.` : usage.map(toUsageLine),
  }),
};

function hasAmount({ input }: Given): boolean {
  return 'credits' in input || 'dollars' in input;
}

/** @throws HoldfastError `INVALID_INPUT` for two amounts, or none */
function toAmount({ input }: Given): object {
  const { credits, dollars } = input;
  if ((dollars === undefined) === (credits === undefined))
    throw invalid('Expected either --dollars, such as 2.50, or --credits.');
  return { credits: credits ?? dollars, dollars: undefined };
}

function toColumns({ id, scope, subject, each, period, ...sums }: Budget): string[] {
  if (each) {
    const spent = `${toDollarText(sums.credits)} each, ${toDollarText(sums.spent)} spent by all`;
    return [id, `each ${scope}`, period, spent];
  }
  return [id, subject === null ? scope : `${scope} ${subject}`, period, toSpent(sums)];
}

function toSpent({ credits, spent, reserved }: Pick<Budget, 'credits' | 'spent' | 'reserved'>): string {
  return `${toDollarText(spent)} of ${toDollarText(credits)} spent, ${toDollarText(reserved)} reserved`;
}

function toUsageLine(one: GetUsageResponse['usage'][number]): string {
  const { agentId, model, conversationId, user, day, kind } = one;
  const named = [agentId, model, conversationId, user, day, kind].filter((name) => name !== null);
  const unpriced = one.unpricedCalls === 0 ? '' : `, ${one.unpricedCalls} without a price`;
  const embedded = one.embeddingCalls === 0 ? '' : `, ${one.embeddingCalls} embeddings`;
  const summarized = one.summaryCalls === 0 ? '' : `, ${one.summaryCalls} summaries`;
  const calls = `${one.modelCalls} model calls${unpriced}${summarized}, ${one.toolCalls} tool calls, ${one.replayRuns} replays${embedded}`;
  return `${named.join('  ') || '-'}  ${toDollarText(one.credits)}  ${calls}`;
}
