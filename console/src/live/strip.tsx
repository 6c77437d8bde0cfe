import type { CSSProperties } from 'react';
import { createScale, type Span } from './spans.ts';
import { formatDuration } from '../ui/format.ts';
import styles from './strip.module.css';
import { toTone } from '../ui/tone.ts';

/**
 * A turn in one line: what it did from left to right, as wide as it took. Models are ink, tools are accent, waiting is hatched,
 * an unknown outcome is dashed.
 */
export function Strip({ spans }: { spans: readonly Span[] }) {
  if (spans.length === 0) return <div className={styles.strip} />;
  const scale = createScale(spans);
  return (
    <div className={styles.strip} role="img" aria-label={describe(spans)}>
      {spans.map((span) => (
        <i
          key={span.id}
          className={styles.span}
          data-kind={span.kind}
          data-tone={toTone(span.status)}
          data-open={span.isOpen}
          style={toPosition(span, scale.toPlace)}
        />
      ))}
    </div>
  );
}

/** Returns the place of a span on a scale of the whole width. */
export function toPosition({ start, end }: Span, toPlace: (time: number) => number): CSSProperties {
  const left = toPlace(start) * 100;
  return { left: `${left}%`, width: `max(2px, ${toPlace(end) * 100 - left}%)` };
}

function describe(spans: readonly Span[]): string {
  const parts = spans.map(
    ({ title, status, start, end }) => `${title} ${status} ${formatDuration(end - start)}`,
  );
  return parts.length > 12 ? `${parts.slice(0, 12).join(', ')} and more` : parts.join(', ');
}
