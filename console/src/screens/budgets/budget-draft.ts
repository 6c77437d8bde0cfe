import type { Budget, CreateBudgetData } from '../../api/types.ts';

/** Whose calls a budget counts: one of a scope, or each. */
export type Whose =
  | 'workspace'
  | 'agent'
  | 'each agent'
  | 'user'
  | 'each user'
  | 'conversation'
  | 'each conversation'
  | 'swarm';

/** A new budget as its form has it. */
export interface BudgetDraft {
  whose: Whose;
  /** The id of the agent, conversation or swarm, or the name of the person. */
  subject: string;
  period: Budget['period'];
  dollars: string;
  message: string;
}

/** A budget that nobody has filled in. */
export const newDraft: BudgetDraft = {
  ...{ whose: 'workspace', subject: '', period: 'month', dollars: '', message: '' },
};

/** Returns whether a budget is of one of many, which has to be named. */
export const isOfOne = (whose: Whose) => whose !== 'workspace' && !whose.startsWith('each ');

/** Returns a new budget as the API takes it. */
export function toBudgetBody({
  whose,
  subject,
  period,
  dollars,
  message,
}: BudgetDraft): CreateBudgetData['body'] {
  const scope = whose.replace('each ', '') as Budget['scope'];
  return {
    ...{ scope, period, dollars: dollars.trim() },
    ...(whose.startsWith('each ') ? { each: true } : {}),
    ...(isOfOne(whose) ? { subject: subject.trim() } : {}),
    ...(message.trim() === '' ? {} : { message: message.trim() }),
  };
}

/** Returns credits as a field for dollars has them, such as `12.5`. */
export function toDollars(credits: string): string {
  const digits = credits.padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}
