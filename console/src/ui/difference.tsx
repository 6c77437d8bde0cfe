import type { JsonObject, JsonValue } from '../api/types.ts';
import styles from './difference.module.css';
import { listDifferences, type JsonDifference } from './json-difference.ts';
import { compareLines } from './line-difference.ts';

interface DifferenceProps {
  label: string;
  before: JsonObject;
  after: JsonObject;
}

/** What differs between two objects: each value as it was and as it is, texts of several lines by their lines. */
export function Difference({ label, before, after }: DifferenceProps) {
  return (
    <dl className={styles.difference} aria-label={label}>
      {listDifferences(before, after).map((difference) => (
        <div key={difference.path} className={styles.entry}>
          <dt className={styles.name}>{difference.path}</dt>
          <dd className={styles.values}>
            <Values {...difference} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Values({ before, after }: JsonDifference) {
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n'))
    return <TextDifference before={before} after={after} />;
  return (
    <>
      {before !== undefined && <del>{toText(before)}</del>}
      {after !== undefined && <ins>{toText(after)}</ins>}
    </>
  );
}

const toText = (value: JsonValue) =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value);

/** Two texts line by line: what was removed, what was added, and what both have. */
function TextDifference({ before, after }: { before: string; after: string }) {
  return compareLines(before, after).map(({ kind, text }, index) => {
    const Line = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span';
    return <Line key={`${index} ${kind}`}>{text === '' ? ' ' : text}</Line>;
  });
}
