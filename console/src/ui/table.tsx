import type { ReactNode } from 'react';
import type { Column } from './list.tsx';
import styles from './table.module.css';

interface TableProps<Item> {
  /** Read to those who do not see; the section around it has a title. */
  label: string;
  items: readonly Item[];
  toKey: (item: Item) => string;
  columns: readonly Column<Item>[];
  /** Stands where there are no items. */
  empty?: ReactNode;
}

/** A table of few rows, as high as they are. For thousands of rows there is `List`. */
export function Table<Item>({ label, items, toKey, columns, empty }: TableProps<Item>) {
  if (items.length === 0) return <div className={styles.empty}>{empty ?? 'None.'}</div>;
  return (
    <div className={styles.scroller} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, isWide, hidesName }) => (
              <th key={name} scope="col" data-number={isNumber} data-wide={isWide}>
                <span className={hidesName === true ? 'visually-hidden' : undefined}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={toKey(item)}>
              {columns.map(({ name, cell, isNumber, isWide }) => (
                <td key={name} data-number={isNumber} data-wide={isWide}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
