import { Bar } from '../../ui/bar.tsx';
import { spentTones, toSpentState, toSpentText, type Share } from './words.ts';

interface SpentProps {
  /** Whose. */
  label: string;
  share: Pick<Share, 'spent' | 'reserved'>;
  /** The amount, in credits. */
  credits: string;
}

/** What is spent of an amount, as a bar with its figures. */
export function Spent({ label, share, credits }: SpentProps) {
  const state = toSpentState(share.spent, credits);
  return (
    <Bar
      label={`Spent of the budget: ${label}`}
      value={state === 'used up' ? 1 : Number(share.spent)}
      most={state === 'used up' ? 1 : Number(credits)}
      text={toSpentText(share, credits)}
      textWidth="118px"
      tone={state === 'open' ? 'live' : spentTones[state]}
    />
  );
}
