import { useVirtualizer } from '@tanstack/react-virtual';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import styles from './multi-list.module.css';

interface MultiListProps<Item> {
  label: string;
  items: readonly Item[];
  toKey: (item: Item) => string;
  /** What a row shows: two lines of text. */
  row: (item: Item) => ReactNode;
  chosen: ReadonlySet<string>;
  /** Called with the items that are chosen or left out. */
  onChoose: (items: readonly Item[], isChosen: boolean) => void;
  /** Returns true for an item that cannot be chosen. */
  isDisabled?: (item: Item) => boolean;
  /** Called with the item that the keyboard or the pointer is at. */
  onActive?: (item: Item) => void;
  /** Stands where there are no items. */
  empty: ReactNode;
}

const rowHeight = 46;

/** How far Page Up and Page Down go, in rows. */
const pageRows = 8;

/**
 * A list of which several items are chosen. Arrows move, Space and Enter choose or leave out, with Shift arrows choose what they pass, and
 * Control and A choose all. It draws the rows in sight alone.
 */
export function MultiList<Item>(props: MultiListProps<Item>) {
  const { label, items, toKey, row, chosen, isDisabled = () => false, onActive, empty } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const { active, press, onKeyDown } = useChoosing(props, (index) => virtual.scrollToIndex(index));
  const current = items[active];
  if (current === undefined) return empty;
  return (
    <div
      ref={scroller}
      className={styles.list}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={`${id}-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={() => onActive?.(current)}
    >
      <div className={styles.body} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <div
              key={toKey(item)}
              id={`${id}-${index}`}
              role="option"
              className={styles.option}
              style={{ transform: `translateY(${start}px)` }}
              aria-selected={chosen.has(toKey(item))}
              aria-disabled={isDisabled(item)}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              data-active={index === active}
              onClick={() => press(index)}
            >
              <span className={styles.mark} aria-hidden="true" />
              <span className={styles.content}>{row(item)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Where the keyboard is, and what its keys and the pointer do. */
function useChoosing<Item>(props: MultiListProps<Item>, scrollTo: (index: number) => void) {
  const { items, toKey, chosen, onChoose, isDisabled = () => false, onActive } = props;
  const [at, setAt] = useState(0);
  const active = Math.min(at, items.length - 1);
  const choose = (wanted: readonly (Item | undefined)[], toggles: boolean) => {
    const free = wanted.filter((item): item is Item => item !== undefined && !isDisabled(item));
    if (free.length > 0) onChoose(free, !toggles || !free.every((item) => chosen.has(toKey(item))));
  };
  const move = (index: number) => {
    const item = items[index];
    if (item === undefined) return;
    setAt(index);
    scrollTo(index);
    onActive?.(item);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = toNext(event.key, active, items.length);
    if (event.key === ' ' || event.key === 'Enter') choose([items[active]], true);
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) choose(items, true);
    else if (next !== null) {
      move(next);
      if (event.shiftKey) choose([items[next]], false);
    } else return;
    event.preventDefault();
  };
  const press = (index: number) => {
    move(index);
    choose([items[index]], true);
  };
  return { active, press, onKeyDown };
}

/** The index that a key leads to; null for a key that does not move. */
function toNext(key: string, active: number, count: number): number | null {
  const steps: Record<string, number> = {
    ...{ ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: count - 1 },
    ...{ PageDown: active + pageRows, PageUp: active - pageRows },
  };
  const next = steps[key];
  return next === undefined ? null : Math.min(Math.max(next, 0), count - 1);
}
