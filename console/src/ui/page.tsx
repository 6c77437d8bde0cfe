import { useEffect, type ReactNode } from 'react';
import styles from './page.module.css';
import { useTitleCount } from './title-count.ts';

interface PageProps {
  title: string;
  /** The title in the tab of the browser. @default the title */
  documentTitle?: string;
  /** What stands below the title, such as a state and a time. */
  meta?: ReactNode;
  /** What can be done, beside the title. */
  actions?: ReactNode;
  /** A row of filters or tabs below the title. */
  bar?: ReactNode;
  children: ReactNode;
  /** Whether the content has the height of the window, and scrolls by itself. */
  fills?: boolean;
}

/** A page of a screen: its title, what can be done, and its content. */
export function Page({
  title,
  documentTitle = title,
  meta,
  actions,
  bar,
  children,
  fills = false,
}: PageProps) {
  const waiting = useTitleCount();
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${documentTitle} · Holdfast`;
  }, [documentTitle, waiting]);
  return (
    <div className={styles.page} data-fills={fills}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <h1 className={styles.title}>{title}</h1>
          {meta !== undefined && <div className={styles.meta}>{meta}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {bar !== undefined && <div className={styles.bar}>{bar}</div>}
      <div className={styles.body}>{children}</div>
    </div>
  );
}
