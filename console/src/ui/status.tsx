import styles from './status.module.css';
import { toTone, toWords, type Tone } from './tone.ts';

interface StatusProps {
  /** A status of the API. */
  status: string;
  /** @default that of the status */
  tone?: Tone;
  /** @default the status in words */
  text?: string;
}

/** A state: a mark, whose form says the same as its colour, and a word. */
export function Status({ status, tone = toTone(status), text = toWords(status) }: StatusProps) {
  return (
    <span className={styles.status} data-tone={tone}>
      <span className={styles.mark} aria-hidden="true" />
      {text}
    </span>
  );
}
