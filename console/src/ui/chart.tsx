import { lazy, Suspense } from 'react';
import styles from './chart.module.css';
import type { DrawingProps } from './drawn-chart.tsx';

const DrawnChart = lazy(() => {
  mendLanguage();
  return import('./drawn-chart.tsx');
});

/**
 * uPlot formats numbers by the language of the browser as soon as it is loaded, and fails by one that is no language: Chromium
 * names that of a Linux without a locale `en-US@posix`.
 */
function mendLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US' });
  }
}

interface ChartProps extends DrawingProps {
  /** What is measured. */
  label: string;
}

/** Bars beside each other. It is loaded when the first one is shown. The page has a table with the same numbers beside it. */
export function Chart({ label, ...drawing }: ChartProps) {
  return (
    <div className={styles.chart} role="img" aria-label={label}>
      <Suspense fallback={null}>
        <DrawnChart {...drawing} />
      </Suspense>
    </div>
  );
}
