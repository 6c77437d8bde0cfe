import { z } from 'zod';
import { creditInputSchema, creditTextSchema } from './credits.ts';
import { isVisibleName, personNameMessage } from './person-name.ts';

/** The calls that a budget counts: all of the workspace, or those of one agent, conversation, user or swarm. */
export const budgetScopes = ['workspace', 'agent', 'conversation', 'user', 'swarm'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** The time after which a budget begins anew: days and months of UTC; never for `total`. */
export const budgetPeriods = ['day', 'month', 'total'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** The share of a budget from which its workspace is warned, in percent. */
export const warningPercent = 80;

/** The most budgets of a workspace: every call is compared with all of them. */
export const mostBudgets = 1_000;

/** A new budget. `subject` is the id of the agent, conversation or swarm, or the name of the user. */
export const budgetInputSchema = z
  .strictObject({
    scope: z.enum(budgetScopes),
    subject: z.string().trim().min(1).max(200).optional(),
    period: z.enum(budgetPeriods),
    credits: creditInputSchema.describe('Millionths of a US dollar, as a number or as decimal text'),
  })
  .superRefine(({ scope, subject }, context) => {
    const complain = (message: string) => context.addIssue({ code: 'custom', path: ['subject'], message });
    if (scope === 'workspace' && subject !== undefined)
      complain('expected none: the budget is that of the workspace');
    if (scope !== 'workspace' && subject === undefined)
      complain(`expected the ${scope} whose calls are counted`);
    if (scope === 'user' && subject !== undefined && !isVisibleName(subject)) complain(personNameMessage);
    const isId = scope === 'agent' || scope === 'conversation' || scope === 'swarm';
    if (isId && subject !== undefined && !z.uuid().safeParse(subject).success)
      complain(`expected the id of the ${scope}`);
  });
export type BudgetInput = z.output<typeof budgetInputSchema>;

/** A change of a budget. What was spent before stays counted. */
export const budgetChangeSchema = z.strictObject({ credits: creditInputSchema });
export type BudgetChange = z.output<typeof budgetChangeSchema>;

/** A budget as the API shows it, with its present period. */
export const budgetSchema = z.object({
  id: z.string(),
  scope: z.enum(budgetScopes),
  /** Null for the workspace. */
  subject: z.string().nullable(),
  period: z.enum(budgetPeriods),
  credits: creditTextSchema,
  /** The cost of calls since the period began. */
  spent: creditTextSchema,
  /** The most that calls which run now can cost. */
  reserved: creditTextSchema,
  /** Null for `total`. */
  periodStartsAt: z.string().nullable(),
  /** When 80 % were spent in this period; null before. */
  warnedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Budget = z.infer<typeof budgetSchema>;

/** The state of a budget at a call that it does not allow, or at its warning. */
export interface BudgetState {
  budgetId: string;
  scope: BudgetScope;
  subject: string | null;
  period: BudgetPeriod;
  credits: string;
  spent: string;
  reserved: string;
}
