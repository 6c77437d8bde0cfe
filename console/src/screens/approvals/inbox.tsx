import { useNavigate } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import type { PendingAction } from '../../api/types.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { ActionDetails } from './action-details.tsx';
import { ActionList } from './action-list.tsx';
import styles from './approvals.module.css';

interface InboxProps {
  label: string;
  /** The name in the query of the address that holds the opened one. */
  name: 'action' | 'decided';
  actions: readonly PendingAction[];
  chosen: PendingAction | undefined;
  /** Whether a narrow page shows the details, and not the list. */
  isOpened: boolean;
  hasKeys: boolean;
  toState: (action: PendingAction) => ReactNode;
  toOrigin: (action: PendingAction) => ReactNode;
  /** What stands below the list. */
  children: ReactNode;
}

/** A list of actions with the details of the chosen one beside it. */
export function Inbox({ actions, chosen, isOpened, hasKeys, children, ...list }: InboxProps) {
  const details = useRef<HTMLElement>(null);
  const open = useOpen(list.name);
  const focusDetails = () => details.current?.querySelector<HTMLElement>('h2')?.focus();
  const move = (step: number) => () => {
    const index = actions.findIndex(({ id }) => id === chosen?.id);
    const next = actions[index + step];
    if (next) open(next.id);
  };
  // The arrows scroll the details while these have the focus.
  const moveByArrow = (step: number) => () =>
    details.current?.contains(document.activeElement) === true ? false : move(step)();
  const enter = () => {
    // Enter presses a button or follows a link that has the focus.
    if (!chosen || document.activeElement?.matches('a, button, summary') === true) return false;
    open(chosen.id);
    focusDetails();
    return true;
  };
  useShortcuts(
    {
      ...{ j: move(1), k: move(-1), ArrowDown: moveByArrow(1), ArrowUp: moveByArrow(-1) },
      Enter: enter,
    },
    { isOn: hasKeys, repeated: ['j', 'k', 'ArrowDown', 'ArrowUp'] },
  );
  return (
    <div className={styles.inbox} data-opened={isOpened}>
      <ActionList {...list} actions={actions} chosen={chosen?.id} onOpen={focusDetails}>
        {children}
      </ActionList>
      <section ref={details} className={styles.pane} tabIndex={0} aria-label="Details">
        {chosen && (
          <ActionDetails
            key={chosen.id}
            action={chosen}
            hasKeys={hasKeys}
            listName={list.name}
            onDecided={focusDetails}
          />
        )}
      </section>
    </div>
  );
}

/** Puts the id of the action that a person opens into the address. */
function useOpen(name: 'action' | 'decided') {
  const navigate = useNavigate();
  return (id: string) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, [name]: id }),
      replace: true,
      resetScroll: false,
    });
}
