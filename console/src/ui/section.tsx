import { useId, type ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** What can be done, beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a title. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

/** The content of a page that scrolls: sections below each other. */
export function Sections({ children }: { children: ReactNode }) {
  return <div className={styles.sections}>{children}</div>;
}

/** Fields below each other, with buttons at their end; Enter in a field submits them. */
export function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** Buttons beside each other. */
export function Buttons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
