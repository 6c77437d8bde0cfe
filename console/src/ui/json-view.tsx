import type { JsonValue } from '../api/types.ts';
import styles from './json-view.module.css';

interface JsonViewProps {
  value: JsonValue;
  /** How many levels are open at first. @default 2 */
  open?: number;
}

/** JSON as a tree: objects and lists open and close, texts of several lines keep them. */
export function JsonView({ value, open = 2 }: JsonViewProps) {
  return (
    <div className={styles.json} dir="ltr">
      <Value value={value} open={open} />
    </div>
  );
}

/** The entries of a large list that are shown at first. */
const mostEntries = 200;

function Value({ value, open }: { value: JsonValue; open: number }) {
  if (value === null || typeof value !== 'object') return <Scalar value={value} />;
  const isList = Array.isArray(value);
  const entries: [string, JsonValue][] = Object.entries(value);
  if (entries.length === 0) return <span className={styles.quiet}>{isList ? '[]' : '{}'}</span>;
  const hidden = entries.length - mostEntries;
  return (
    <details className={styles.branch} open={open > 0}>
      <summary className={styles.quiet}>
        {entries.length} {isList ? 'item' : 'field'}
        {entries.length > 1 && 's'}
      </summary>
      <dl className={styles.entries}>
        {entries.slice(0, mostEntries).map(([name, part]) => (
          <div key={name} className={styles.entry}>
            <dt className={styles.name}>{name}</dt>
            <dd>
              <Value value={part} open={open - 1} />
            </dd>
          </div>
        ))}
      </dl>
      {hidden > 0 && <p className={styles.quiet}>and {hidden} more, which the raw text has</p>}
    </details>
  );
}

function Scalar({ value }: { value: string | number | boolean | null }) {
  if (typeof value === 'string') return <span className={styles.text}>{value === '' ? '""' : value}</span>;
  return <span className={styles.scalar}>{String(value)}</span>;
}
