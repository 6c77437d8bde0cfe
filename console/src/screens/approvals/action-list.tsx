import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import type { JsonObject, JsonValue, PendingAction } from '../../api/types.ts';
import styles from './approvals.module.css';

interface ActionListProps {
  label: string;
  actions: readonly PendingAction[];
  /** The id of the action whose details are shown. */
  chosen: string | undefined;
  /** The name in the query of the address that holds the opened one. */
  name: 'action' | 'decided';
  /** The end of the first line of an action. */
  toState: (action: PendingAction) => ReactNode;
  /** The last line of an action. */
  toOrigin: (action: PendingAction) => ReactNode;
  /** Called when a person opens one. */
  onOpen: () => void;
  /** What stands below the last one. */
  children?: ReactNode;
}

/** Actions one below the other, each with the beginning of what it asks for. */
export function ActionList(props: ActionListProps) {
  const { label, actions, chosen, name, toState, toOrigin, onOpen, children } = props;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <nav className={styles.list} aria-label={label}>
      <ul ref={list}>
        {actions.map((action) => (
          <li key={action.id} className={styles.place}>
            <Link
              to="."
              search={(before: object) => ({ ...before, [name]: action.id })}
              replace
              resetScroll={false}
              className={styles.item}
              aria-current={action.id === chosen ? 'true' : undefined}
              onClick={onOpen}
            >
              <span className={styles.line}>
                <code className={styles.tool}>{action.target ?? action.tool}</code>
                <span className={styles.state}>{toState(action)}</span>
              </span>
              <span className={styles.summary}>{toSummary(action)}</span>
              <span className={styles.origin}>{toOrigin(action)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  );
}

/** The characters of a summary at most. The page cuts it where its line ends. */
const mostCharacters = 160;

/** The beginning of what an action asks for: its question, or its arguments. */
function toSummary({ question, arguments: given }: PendingAction): string {
  return (question ?? toPairs(given)).slice(0, mostCharacters);
}

/** Names and values, plain ones first: those of lists and objects say little in one line. */
function toPairs(given: JsonObject): string {
  const isPlain = ([, value]: [string, JsonValue]) => typeof value !== 'object';
  return Object.entries(given)
    .toSorted((one, other) => Number(isPlain(other)) - Number(isPlain(one)))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
