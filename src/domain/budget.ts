import { z } from 'zod';
import { creditInputSchema, creditTextSchema, dollarInputSchema } from './credits.ts';
import { isVisibleName, personNameMessage } from './person-name.ts';

/** The calls that a budget counts: all of the workspace, or those of one agent, conversation, user or swarm. */
export const budgetScopes = ['workspace', 'agent', 'conversation', 'user', 'swarm'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** The time after which a budget begins anew: days and months of UTC; never for `total`. */
export const budgetPeriods = ['day', 'month', 'total'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** The share of a budget from which its workspace is warned, in percent. */
export const warningPercent = 80;

/** The maximum number of budgets of a workspace: every call is compared with all of them. */
export const mostBudgets = 1_000;

/** The scopes of which one budget can be for each. */
const eachScopes: readonly BudgetScope[] = ['agent', 'conversation', 'user'];

const amountFields = {
  credits: creditInputSchema
    .optional()
    .describe('Millionths of a US dollar, as a number or as decimal text; or else `dollars`'),
  dollars: dollarInputSchema
    .optional()
    .describe('US dollars with at most six decimals, as a number or as decimal text'),
};

const messageSchema = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .nullable()
  .optional()
  .describe('The text that people read when the budget ends their turn; null for the standard sentence');

interface Amount {
  credits?: bigint | undefined;
  dollars?: bigint | undefined;
}

function checkAmount({ credits, dollars }: Amount, context: z.RefinementCtx): void {
  if ((credits === undefined) !== (dollars === undefined)) return;
  const found = credits === undefined ? 'neither' : 'both';
  context.addIssue({
    code: 'custom',
    path: ['credits'],
    message: `expected credits or dollars, found ${found}`,
  });
}

/** Keeps the amount as credits alone. */
function toCreditsOnly<Given extends Amount>({ credits, dollars, ...given }: Given) {
  return { ...given, credits: credits ?? dollars ?? 0n };
}

/**
 * A new budget. `subject` is the id of the agent, conversation or swarm, or the name of the user; with `each` there is none,
 * and every agent, conversation or user has the credits for its own calls.
 */
export const budgetInputSchema = z
  .strictObject({
    scope: z.enum(budgetScopes),
    subject: z.string().trim().min(1).max(200).optional(),
    each: z.boolean().optional().describe('Gives every agent, conversation or user the credits'),
    period: z.enum(budgetPeriods),
    ...amountFields,
    message: messageSchema,
  })
  .superRefine(checkAmount)
  .superRefine(({ scope, subject, each }, context) => {
    const complain = (message: string, path = 'subject') =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (each && !eachScopes.includes(scope))
      complain(`expected false: a budget for each is for one of ${eachScopes.join(', ')}`, 'each');
    if (each && subject !== undefined) complain(`expected none: the budget is for each ${scope}`);
    if (scope === 'workspace' && subject !== undefined)
      complain('expected none: the budget is that of the workspace');
    if (scope !== 'workspace' && !each && subject === undefined)
      complain(`expected the ${scope} whose calls are counted, or each: true`);
    if (scope === 'user' && subject !== undefined && !isVisibleName(subject)) complain(personNameMessage);
    const isId = scope === 'agent' || scope === 'conversation' || scope === 'swarm';
    if (isId && subject !== undefined && !z.uuid().safeParse(subject).success)
      complain(`expected the id of the ${scope}`);
  })
  .transform(toCreditsOnly);
export type BudgetInput = z.output<typeof budgetInputSchema>;

/** A change of a budget, of its amount, its message or both. What was spent before stays counted. */
export const budgetChangeSchema = z
  .strictObject({ ...amountFields, message: messageSchema })
  .superRefine((change, context) => {
    const { credits, dollars, message } = change;
    if (message === undefined || credits !== undefined || dollars !== undefined) checkAmount(change, context);
  })
  .transform(({ credits, dollars, ...given }) => ({ ...given, credits: credits ?? dollars }));
export type BudgetChange = z.output<typeof budgetChangeSchema>;

/** A budget as the API shows it, with its present period. */
export const budgetSchema = z.object({
  id: z.string(),
  scope: z.enum(budgetScopes),
  /** Null for the workspace, and for a budget for each. */
  subject: z.string().nullable(),
  /** Whether every agent, conversation or user has the credits; the sums are then those of all together. */
  each: z.boolean(),
  period: z.enum(budgetPeriods),
  credits: creditTextSchema,
  /** The text that people read when the budget ends their turn; null for the standard sentence. */
  message: z.string().nullable(),
  /** The cost of calls since the period began. */
  spent: creditTextSchema,
  /** The maximum cost of the calls that run now. */
  reserved: creditTextSchema,
  /** Null for `total`. */
  periodStartsAt: z.string().nullable(),
  /** When 80 % were spent in this period, of a budget for each by the last of them; null before. */
  warnedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Budget = z.infer<typeof budgetSchema>;

/** The share of one agent, conversation or user of a budget for each, in its present period. */
export const budgetShareSchema = z.object({
  /** The id of the agent or conversation, or the name of the user. */
  subject: z.string(),
  spent: creditTextSchema,
  /** The maximum cost of the calls that run now. */
  reserved: creditTextSchema,
  /** When 80 % were spent in this period; null before. */
  warnedAt: z.string().nullable(),
});
export type BudgetShare = z.infer<typeof budgetShareSchema>;

/** The state of a budget at a call that it does not allow, or at its warning. */
export interface BudgetState {
  budgetId: string;
  scope: BudgetScope;
  /** Null for the workspace. Of a budget for each it is the one whose calls were counted. */
  subject: string | null;
  period: BudgetPeriod;
  credits: string;
  spent: string;
  reserved: string;
}
