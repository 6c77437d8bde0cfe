import { Outlet } from '@tanstack/react-router';
import { useChanges } from './use-changes.ts';
import { Navigation } from './navigation.tsx';
import styles from './shell.module.css';

/** The frame of every page: the navigation beside its content. */
export function Shell() {
  useChanges();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <Navigation />
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
