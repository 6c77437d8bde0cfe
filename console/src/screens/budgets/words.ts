import type { Budget, ListBudgetSharesResponse } from '../../api/types.ts';
import { formatCredits } from '../../ui/format.ts';
import type { Tone } from '../../ui/tone.ts';

/** Names by ids, such as those of agents. */
type Names = ReadonlyMap<string, string> | undefined;

/** What one agent, conversation or person has spent of a budget for each. */
export type Share = ListBudgetSharesResponse['items'][number];

const scopeNames: Record<Budget['scope'], string> = {
  workspace: 'the workspace',
  agent: 'agent',
  conversation: 'conversation',
  user: 'person',
  swarm: 'swarm',
};

/** Whose calls a budget counts: "The whole workspace", "Agent Orders", "Each person". */
export function toWhose({ scope, subject, each }: Pick<Budget, 'scope' | 'subject' | 'each'>, names: Names) {
  if (scope === 'workspace') return 'The whole workspace';
  const word = scopeNames[scope];
  if (each) return `Each ${word}`;
  return `${word.charAt(0).toUpperCase()}${word.slice(1)} ${names?.get(subject ?? '') ?? subject ?? ''}`;
}

/** How long a budget lasts. */
export const periodNames: Record<Budget['period'], string> = {
  day: 'each day',
  month: 'each month',
  total: 'in total',
};

/** What is spent of an amount, in words. */
export function toSpentText({ spent, reserved }: Pick<Share, 'spent' | 'reserved'>, credits: string): string {
  const running = reserved === '0' ? '' : `, ${formatCredits(reserved)} reserved`;
  return `${formatCredits(spent)} of ${formatCredits(credits)}${running}`;
}

/** How far an amount is spent: `nearly used up` where the workspace is warned, from 80 % on. */
export type SpentState = 'used up' | 'nearly used up' | 'open';

/** Returns how far an amount is spent. */
export function toSpentState(spent: string, credits: string): SpentState {
  const [part, whole] = [BigInt(spent), BigInt(credits)];
  if (part >= whole) return 'used up';
  return part * 100n >= whole * 80n ? 'nearly used up' : 'open';
}

/** The tones of how far an amount is spent. */
export const spentTones: Record<SpentState, Tone> = {
  'used up': 'bad',
  'nearly used up': 'wait',
  open: 'off',
};
