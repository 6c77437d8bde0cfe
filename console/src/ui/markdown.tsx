import { lazy, Suspense } from 'react';
import styles from './markdown.module.css';

const Rendered = lazy(() => import('./rendered-markdown.tsx'));

/** Text of a model or a person as Markdown. Nothing in it runs or loads anything from elsewhere. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<p className={styles.plain}>{text}</p>}>
      <Rendered text={text} />
    </Suspense>
  );
}
