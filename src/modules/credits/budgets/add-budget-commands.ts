import type { Command } from 'commander';
import {
  createBudget,
  deleteBudget,
  listBudgets,
  listShares,
  showUsage,
  updateBudget,
  type BudgetChanges,
  type BudgetOptions,
  type UsageOptions,
} from './budget-commands.ts';
import { addList, addOneId, run } from '../../../clients/cli/command.ts';
import { createListOption } from '../../../clients/cli/list-option.ts';
import type { OutputOptions } from '../../../clients/cli/output.ts';

/** Adds the commands of budgets and of what calls have cost. */
export function addCredits(program: Command): void {
  const budgets = program.command('budgets').description('Limit what calls may cost.');
  addList(budgets, listBudgets).description('List the budgets of the workspace.');
  addAmount(budgets.command('create'))
    .argument('[credits]', 'the same as --credits')
    .description('Create a budget.')
    .option('--json', 'print JSON')
    .option('--scope <scope>', 'workspace, agent, conversation, user or swarm (default: workspace)')
    .option('--subject <id or name>', 'the agent, conversation, user or swarm')
    .option('--each', 'give every agent, conversation or user the amount, in place of --subject')
    .option('--period <period>', 'day, month or total (default: month)')
    .action(async (credits: string | undefined, _options: unknown, command: Command) => {
      await run<BudgetOptions>(command, (services, options) =>
        createBudget(services, credits === undefined ? options : { credits, ...options }),
      );
    });
  addAmount(addOneId<OutputOptions & BudgetChanges>(budgets, 'update <budget>', updateBudget)).description(
    'Change the size of a budget, or its message.',
  );
  addOneId(budgets, 'delete <budget>', deleteBudget).description('Delete a budget.');
  addOneId(budgets, 'shares <budget>', listShares).description(
    'List what each has spent of a budget that is for each.',
  );
  addUsage(program);
}

function addAmount(command: Command): Command {
  return command
    .option('--dollars <amount>', 'its size in US dollars, such as 2.50')
    .option('--credits <number>', 'its size in credits, millionths of a US dollar')
    .option('--message <text>', 'what a person reads whose turn it ends; empty for the standard sentence');
}

function addUsage(program: Command): void {
  program
    .command('usage')
    .description('Show what calls have cost.')
    .addOption(
      createListOption('--by <fields>', 'agent, model, conversation, user, day or kind', {
        defaults: ['model'],
      }),
    )
    .option('--from <time>', 'calls of this time or later (default: 30 days ago)')
    .option('--to <time>', 'calls before this time')
    .option('--limit <number>', 'so many groups (default: 100)')
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      await run<UsageOptions>(command, (services, options) => showUsage(services, options));
    });
}
