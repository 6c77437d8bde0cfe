import { Time } from '../../ui/time.tsx';
import styles from './home.module.css';

/** A time in one line. */
export function Moment({ at }: { at: string }) {
  return (
    <span className={styles.moment}>
      <Time at={at} />
    </span>
  );
}
