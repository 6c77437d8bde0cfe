import type { Command } from 'commander';
import type { ApiFlags } from './api-access.ts';
import {
  createBudget,
  deleteBudget,
  listBudgets,
  listShares,
  showUsage,
  updateBudget,
  type BudgetOptions,
  type UsageOptions,
} from './budget-commands.ts';
import { addList, addOneId, run } from './command.ts';

/** Adds the commands of budgets and of what calls have cost. */
export function addCredits(program: Command): void {
  const budgets = program.command('budgets').description('Limit what calls may cost.');
  addList(budgets, listBudgets).description('List the budgets of the workspace.');
  addOneId<BudgetOptions>(budgets, 'create <credits>', createBudget)
    .description('Create a budget, in millionths of a US dollar.')
    .option('--scope <scope>', 'workspace, agent, conversation, user or swarm (default: workspace)')
    .option('--subject <id or name>', 'the agent, conversation, user or swarm')
    .option('--each', 'give every agent, conversation or user the credits, in place of --subject')
    .option('--period <period>', 'day, month or total (default: month)');
  addOneId<BudgetOptions & { credits: string }>(budgets, 'update <budget>', updateBudget)
    .description('Change the size of a budget.')
    .requiredOption('--credits <number>', 'its new size');
  addOneId(budgets, 'delete <budget>', deleteBudget).description('Delete a budget.');
  addOneId(budgets, 'shares <budget>', listShares).description(
    'List what each has spent of a budget that is for each.',
  );
  program
    .command('usage')
    .description('Show what calls have cost.')
    .option('--by <fields>', 'agent, model, conversation, user, day, kind; several with commas', 'model')
    .option('--from <time>', 'calls of this time or later (default: 30 days ago)')
    .option('--to <time>', 'calls before this time')
    .option('--limit <number>', 'so many groups (default: 100)')
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ApiFlags & UsageOptions>();
      await run(options, (services) => showUsage(services, options));
    });
}
