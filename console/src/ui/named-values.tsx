import { useState } from 'react';
import type { JsonObject, JsonValue } from '../api/types.ts';
import { Button } from './button.tsx';
import { formatCount } from './format.ts';
import styles from './named-values.module.css';

/** The entries of an object or a list that are shown. */
const mostEntries = 100;

/** The values of an object as people read them: names and values, one below the other, and long texts folded. */
export function NamedValues({ values }: { values: JsonObject }) {
  const entries = Object.entries(values).toSorted(([, one], [, other]) => toLength(one) - toLength(other));
  return (
    <>
      <dl className={styles.values}>
        {entries.slice(0, mostEntries).map(([name, value]) => (
          <div key={name} className={styles.entry}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <More count={entries.length - mostEntries} />
    </>
  );
}

/** The short values of an object come before its long texts, and these before lists and objects. */
function toLength(value: JsonValue): number {
  if (typeof value === 'string') return value.length > mostCharacters || value.includes('\n') ? 1 : 0;
  return value !== null && typeof value === 'object' ? 2 : 0;
}

function Value({ value }: { value: JsonValue }) {
  if (typeof value === 'string') return value === '' ? <Quiet text="empty" /> : <FoldedText text={value} />;
  if (value === null || typeof value !== 'object') return <span>{String(value)}</span>;
  if (!Array.isArray(value))
    return Object.keys(value).length === 0 ? <Quiet text="empty" /> : <NamedValues values={value} />;
  if (value.length === 0) return <Quiet text="none" />;
  return (
    <>
      <ol className={styles.list}>
        {value.slice(0, mostEntries).map((one, index) => (
          <li key={index}>
            <Value value={one} />
          </li>
        ))}
      </ol>
      <More count={value.length - mostEntries} />
    </>
  );
}

const Quiet = ({ text }: { text: string }) => <span className={styles.quiet}>{text}</span>;

function More({ count }: { count: number }) {
  return count > 0 ? <p className={styles.quiet}>and {formatCount(count)} more</p> : null;
}

/** A text with more characters or lines than these is folded, to about half of it at most. */
const mostCharacters = 600;
const mostLines = 12;

/** A text of which only the beginning is shown when it is long, until it is unfolded. */
function FoldedText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const beginning = text
    .split('\n', mostLines / 2)
    .join('\n')
    .slice(0, mostCharacters / 2);
  const isLong = text.length > mostCharacters || text.split('\n', mostLines + 1).length > mostLines;
  if (!isLong) return <span className={styles.text}>{text}</span>;
  return (
    <>
      <span className={styles.text}>{isOpen ? text : `${beginning} …`}</span>
      <Button kind="plain" onPress={() => setOpen(!isOpen)}>
        {isOpen ? 'Show less' : `Show all ${formatCount(text.length)} characters`}
      </Button>
    </>
  );
}
