import styles from './bar.module.css';
import type { Tone } from './tone.ts';

interface BarProps {
  /** What is measured. */
  label: string;
  value: number;
  /** The value of a full bar; more than it shows a full bar. */
  most: number;
  /** The figure beside the bar. */
  text: string;
  /** The least width of the figure: with it, bars below each other are equally long. @default '68px' */
  textWidth?: string;
  /** @default 'live' */
  tone?: Tone;
}

/** A part of a whole as a bar, with its figure beside it. */
export function Bar({ label, value, most, text, textWidth = '68px', tone = 'live' }: BarProps) {
  const share = most <= 0 ? 0 : Math.min(1, value / most);
  return (
    <div className={styles.bar} style={{ '--text-width': textWidth } as object}>
      <span
        className={styles.track}
        data-tone={tone}
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
      >
        <i className={styles.part} style={{ width: `${share * 100}%` }} />
      </span>
      <span>{text}</span>
    </div>
  );
}
