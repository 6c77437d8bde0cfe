import { useState } from 'react';
import type { ImportProviderResponse } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { formatCount } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './connections.module.css';

type Operation = ImportProviderResponse['operations'][number];

/** What a call of an operation does when it is repeated. */
export type Effect = Operation['effect'];

const allEffects: readonly Effect[] = ['read_only', 'idempotent', 'keyed', 'unsafe'];

interface OperationChooserProps {
  operations: readonly Operation[];
  /** The chosen ones, by their requests, such as `GET /pets/{id}`. */
  chosen: ReadonlySet<string>;
  onChosen: (chosen: ReadonlySet<string>) => void;
  /** The effects that a person has set, by the same. */
  effects: Readonly<Record<string, Effect>>;
  onEffect: (request: string, effect: Effect) => void;
}

/** Chooses among the operations of a document, and says what those do whose method does not. */
export function OperationChooser(props: OperationChooserProps) {
  const { operations, chosen, onChosen } = props;
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = operations.filter(({ name, request, description, tags }) =>
    [name, request, description, ...tags].join(' ').toLowerCase().includes(wanted),
  );
  const shown = new Set(found.map(({ request }) => request));
  return (
    <>
      <div className={styles.filters}>
        <div className={styles.search}>
          <Field label="Search operations" type="search" value={text} onChange={setText} />
        </div>
        <Button onPress={() => onChosen(new Set([...chosen, ...shown]))}>Choose these</Button>
        <Button onPress={() => onChosen(without(chosen, shown))}>Leave these out</Button>
        <span className={styles.quiet} role="status">
          {formatCount(chosen.size)} of {formatCount(operations.length)} chosen
        </span>
      </div>
      <div className={styles.box} style={{ maxHeight: (found.length + 1) * 36 + 3 }}>
        <List
          label="Operations"
          items={found}
          toKey={({ request }) => request}
          columns={toColumns(props)}
          empty={<p className={styles.quiet}>None fits.</p>}
        />
      </div>
    </>
  );
}

function toColumns({ chosen, onChosen, effects, onEffect }: OperationChooserProps): Column<Operation>[] {
  return [
    {
      name: 'Chosen',
      hidesName: true,
      width: '22px',
      cell: ({ name, request }) => (
        <input
          type="checkbox"
          aria-label={`Choose ${name}`}
          checked={chosen.has(request)}
          onChange={() => onChosen(toggle(chosen, request))}
        />
      ),
    },
    { name: 'Name', width: 'minmax(0, 1fr)', cell: ({ name }) => <code title={name}>{name}</code> },
    {
      name: 'Request',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ request }) => <code title={request}>{request}</code>,
    },
    {
      name: 'Description',
      width: 'minmax(0, 2fr)',
      isWide: true,
      cell: ({ description }) => <span className={styles.quiet}>{description}</span>,
    },
    {
      name: 'Effect',
      width: '104px',
      cell: ({ name, request, effect }) => (
        <select
          aria-label={`Effect of ${name}`}
          className={styles.effect}
          value={effects[request] ?? effect}
          onChange={(event) => onEffect(request, event.target.value as Effect)}
        >
          {allEffects.map((each) => (
            <option key={each} value={each}>
              {toWords(each)}
            </option>
          ))}
        </select>
      ),
    },
  ];
}

const without = (chosen: ReadonlySet<string>, left: ReadonlySet<string>) =>
  new Set([...chosen].filter((request) => !left.has(request)));

const toggle = (chosen: ReadonlySet<string>, request: string) =>
  chosen.has(request) ? without(chosen, new Set([request])) : new Set([...chosen, request]);
