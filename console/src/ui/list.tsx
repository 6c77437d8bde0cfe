import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './list.module.css';

/** A column of a list. */
export interface Column<Item> {
  name: string;
  /** A width of CSS grid, such as `120px` or `minmax(0, 2fr)`. */
  width: string;
  cell: (item: Item) => ReactNode;
  /** Whether it holds numbers, which stand at the right. */
  isNumber?: boolean;
  /** Whether the name is read to those who do not see, and not shown. */
  hidesName?: boolean;
  /** Whether a narrow page leaves it out. */
  isWide?: boolean;
}

interface ListProps<Item> {
  label: string;
  items: readonly Item[];
  toKey: (item: Item) => string;
  columns: readonly Column<Item>[];
  /** Called when the end comes near; undefined when there is nothing more. */
  loadMore?: (() => void) | undefined;
  isLoading?: boolean;
  /** Stands where there are no items. */
  empty: ReactNode;
}

const rowHeight = 36;

/** A table that draws the rows in sight alone, and asks for more before its end. It has the height of its container. */
export function List<Item>(props: ListProps<Item>) {
  const { label, items, toKey, columns, loadMore, isLoading = false, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (loadMore && !isLoading && last >= items.length - 20) loadMore();
  }, [loadMore, isLoading, last, items.length]);
  if (items.length === 0 && !loadMore && !isLoading) return empty;
  const template = columns.map(({ width }) => width).join(' ');
  const narrow = columns.filter(({ isWide }) => isWide !== true).map(({ width }) => width);
  return (
    <div
      ref={scroller}
      className={styles.list}
      role="table"
      aria-label={label}
      aria-rowcount={loadMore ? -1 : items.length + 1}
      tabIndex={0}
      style={{ '--columns': template, '--narrow-columns': narrow.join(' ') } as object}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" aria-rowindex={1} className={styles.row}>
          {columns.map(({ name, isNumber, isWide, hidesName }) => (
            <div key={name} role="columnheader" data-number={isNumber} data-wide={isWide}>
              <span className={hidesName === true ? 'visually-hidden' : undefined}>{name}</span>
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <div
              key={toKey(item)}
              role="row"
              aria-rowindex={index + 2}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              {columns.map(({ name, cell, isNumber, isWide }) => (
                <div key={name} role="cell" data-number={isNumber} data-wide={isWide}>
                  {cell(item)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
