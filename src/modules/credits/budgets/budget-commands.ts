import type {
  Budget,
  CreateBudgetData,
  GetUsageData,
  HoldfastClient,
} from '../../../clients/client/index.ts';
import { parseDollars, toDollarText } from '../../../domain/credits.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { readAll } from '../../../clients/cli/pages.ts';
import type { Terminal } from '../../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../../clients/cli/output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

/** Lists the budgets, one line each. */
export async function listBudgets({ client, terminal }: CommandServices, options: OutputOptions) {
  const budgets = await readAll((page) => client.budgets.list(page));
  if (options.json) {
    printJson(terminal, budgets);
    return;
  }
  if (budgets.length === 0) terminal.line('The workspace has no budgets.');
  for (const budget of budgets) terminal.line(toBudgetLine(budget));
}

/** An amount, as it is typed: one of the two. */
interface AmountOptions {
  dollars?: string;
  credits?: string;
}

/** The changes of a budget, as they are typed. */
export interface BudgetChanges extends AmountOptions {
  message?: string;
}

/** @throws HoldfastError `INVALID_INPUT` */
function toCredits({ dollars, credits }: AmountOptions): string {
  if ((dollars === undefined) === (credits === undefined))
    throw new HoldfastError('INVALID_INPUT', 'Expected either --dollars, such as 2.50, or --credits.');
  if (credits !== undefined) return credits;
  const parsed = parseDollars(dollars ?? '');
  if (parsed !== null) return String(parsed);
  const message = `--dollars is "${dollars}": expected US dollars with at most six decimals, such as 2.50.`;
  throw new HoldfastError('INVALID_INPUT', message);
}

function toMessage({ message }: BudgetChanges): { message?: string | null } {
  return message === undefined ? {} : { message: message === '' ? null : message };
}

/** The options of a new budget. */
export interface BudgetOptions extends OutputOptions, BudgetChanges {
  scope?: string;
  subject?: string;
  each?: boolean;
  period?: string;
}

/** Creates a budget. */
export async function createBudget({ client, terminal }: CommandServices, options: BudgetOptions) {
  const { scope = 'workspace', subject, each, period = 'month', json } = options;
  // The API refuses scopes and periods that it does not know.
  const place = { scope, period } as Pick<CreateBudgetData['body'], 'scope' | 'period'>;
  const budget = await client.budgets.create({
    ...place,
    ...(subject === undefined ? {} : { subject }),
    ...(each === undefined ? {} : { each }),
    credits: toCredits(options),
    ...toMessage(options),
  });
  if (json) printJson(terminal, budget);
  else terminal.line(toBudgetLine(budget));
}

/** Changes the size of a budget, its message, or both. */
export async function updateBudget(
  { client, terminal }: CommandServices,
  id: string,
  options: OutputOptions & BudgetChanges,
) {
  const { dollars, credits, message } = options;
  const isMessageAlone = message !== undefined && dollars === undefined && credits === undefined;
  const amount = isMessageAlone ? {} : { credits: toCredits(options) };
  const budget = await client.budgets.update(id, { ...amount, ...toMessage(options) });
  if (options.json) printJson(terminal, budget);
  else terminal.line(toBudgetLine(budget));
}

/** Deletes a budget. */
export async function deleteBudget(
  { client, terminal }: CommandServices,
  id: string,
  options: OutputOptions,
) {
  await client.budgets.delete(id);
  if (options.json) printJson(terminal, { deleted: true });
  else terminal.line(`Budget ${id} is deleted.`);
}

/** Lists what each has spent of a budget for each, one line each, the most first. */
export async function listShares({ client, terminal }: CommandServices, id: string, options: OutputOptions) {
  const budget = await client.budgets.get(id);
  const shares = await readAll((page) => client.budgets.listShares(id, page));
  if (options.json) {
    printJson(terminal, shares);
    return;
  }
  if (shares.length === 0) terminal.line('Nothing is spent of this budget in its present period.');
  for (const { subject, spent, reserved } of shares)
    terminal.line(`${subject}  ${toSpent({ credits: budget.credits, spent, reserved })}`);
}

function toBudgetLine({ id, scope, subject, each, period, ...sums }: Budget): string {
  if (each)
    return `${id}  each ${scope}  ${period}  ${toDollarText(sums.credits)} each, ${toDollarText(sums.spent)} spent by all`;
  const whose = subject === null ? scope : `${scope} ${subject}`;
  return `${id}  ${whose}  ${period}  ${toSpent(sums)}`;
}

function toSpent({ credits, spent, reserved }: Pick<Budget, 'credits' | 'spent' | 'reserved'>): string {
  return `${toDollarText(spent)} of ${toDollarText(credits)} spent, ${toDollarText(reserved)} reserved`;
}

/** The options of the usage. */
export interface UsageOptions extends OutputOptions {
  by: string[];
  from?: string;
  to?: string;
  limit?: string;
}

/** Shows what calls have cost, the dearest groups first. */
export async function showUsage(
  { client, terminal }: CommandServices,
  { by, json, limit, ...times }: UsageOptions,
) {
  const { from, to } = times;
  const query: NonNullable<GetUsageData['query']> = {
    groupBy: by.join(','),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
  const report = await client.usage.get(query);
  if (json) {
    printJson(terminal, report);
    return;
  }
  if (report.usage.length === 0) terminal.line(`No calls from ${report.from} to ${report.to}.`);
  for (const one of report.usage) {
    const named = [one.agentId, one.model, one.conversationId, one.user, one.day, one.kind].filter(
      (name) => name !== null,
    );
    const unpriced = one.unpricedCalls === 0 ? '' : `, ${one.unpricedCalls} without a price`;
    const embedded = one.embeddingCalls === 0 ? '' : `, ${one.embeddingCalls} embeddings`;
    const summarized = one.summaryCalls === 0 ? '' : `, ${one.summaryCalls} summaries`;
    const calls = `${one.modelCalls} model calls${unpriced}${summarized}, ${one.toolCalls} tool calls, ${one.replayRuns} replays${embedded}`;
    terminal.line(`${named.join('  ') || '-'}  ${toDollarText(one.credits)}  ${calls}`);
  }
}
