import type { ReactNode } from 'react';
import styles from './split.module.css';

interface SplitProps {
  /** The name of the part at the left, for those who do not see. */
  label: string;
  children: ReactNode;
  /** What is chosen at the left, in full. */
  details: ReactNode;
  /** Whether the part at the left has the whole place and scrolls by itself, as a list does. @default false */
  fills?: boolean;
}

/** A list or a drawing with the details of what is chosen beside it, or below it on a narrow page. It fills the page. */
export function Split({ label, children, details, fills = false }: SplitProps) {
  return (
    <div className={styles.split}>
      {fills ? (
        <div className={styles.whole}>{children}</div>
      ) : (
        <div className={styles.main} role="region" aria-label={label} tabIndex={0}>
          {children}
        </div>
      )}
      <aside className={styles.details} aria-label="Details">
        {details}
      </aside>
    </div>
  );
}

interface PartProps {
  title: string;
  /** @default 3 */
  level?: 2 | 3;
  /** What stands beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of the details with a title. */
export function Part({ title, level = 3, actions, children }: PartProps) {
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <div className={styles.part} role="group" aria-label={title}>
      <header className={styles.head}>
        <Title className={styles.title} data-level={level}>
          {title}
        </Title>
        {actions}
      </header>
      {children}
    </div>
  );
}
