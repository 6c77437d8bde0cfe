import type { ReplayCaseDetails } from '../../api/types.ts';
import { Section } from '../../ui/section.tsx';
import styles from './replays.module.css';
import { toAnswerText } from './words.ts';

type Comparison = NonNullable<ReplayCaseDetails['runs'][number]['comparison']>;

/** The calls that were answered when recorded and are not any more; nothing without one. */
export function BrokenCalls({ calls }: { calls: NonNullable<Comparison['brokenCalls']> }) {
  if (calls.length === 0) return null;
  return (
    <Section title="Tool calls that are not answered any more">
      <ul>
        {calls.map(({ turn, iteration, name, answeredBy, reason }) => (
          <li key={`${turn} ${iteration} ${name}`} className={styles.difference}>
            Turn {turn}, step {iteration}: <code>{name}</code> got {toAnswerText(answeredBy)}. {reason}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const orders = ['With the recorded answer first', 'With the recorded answer second'];

type Judged = Omit<NonNullable<Comparison['judged']>, 'usage' | 'costUsd'>;

/** The verdict of the judge about an answer, and its reasons; nothing without a judge. */
export function JudgedSection({ judged }: { judged: Judged | null | undefined }) {
  if (!judged) return null;
  return (
    <Section title={`The judge says: ${judged.verdict}`}>
      {judged.flipped && <p>It contradicted itself when the answers changed places.</p>}
      <ul>
        {judged.reasons.map((reason, index) => (
          <li key={index} className={styles.difference}>
            {orders[index]}: {reason}
          </li>
        ))}
      </ul>
      <p className={styles.quiet}>Hash of its prompt: {judged.promptHash}</p>
    </Section>
  );
}
