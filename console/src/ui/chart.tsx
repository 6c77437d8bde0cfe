import { lazy, Suspense } from 'react';
import styles from './chart.module.css';

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

/** A part of each bar of a chart: the layers of a chart stand on each other. */
export interface Layer {
  name: string;
  /** `bad` for what has failed. */
  tone: 'main' | 'soft' | 'bad';
  /** One for each label. */
  values: readonly number[];
}

/** What a chart draws. */
export interface DrawingProps {
  /** The names of the bars, from left to right, short enough to stand below them. */
  names: readonly string[];
  layers: readonly Layer[];
  format: (value: number) => string;
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
