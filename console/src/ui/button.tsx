import type { ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonProps {
  children: ReactNode;
  onPress?: () => void;
  /** `main` is the one thing to do; `bad` destroys; `plain` has no frame. @default 'quiet' */
  kind?: 'main' | 'quiet' | 'bad' | 'plain';
  /** @default 'button' */
  type?: 'button' | 'submit';
  isDisabled?: boolean;
  /** Whether its work runs: it keeps the focus and cannot be pressed. */
  isPending?: boolean;
  /** The name for those who do not see the content. */
  label?: string;
  /** The key that does the same, such as `a`. */
  shortcut?: string;
}

/** A button. */
export function Button(props: ButtonProps) {
  const {
    children,
    onPress,
    kind = 'quiet',
    type = 'button',
    isDisabled,
    isPending,
    label,
    shortcut,
  } = props;
  return (
    <button
      type={isPending ? 'button' : type}
      className={styles.button}
      data-kind={kind}
      disabled={isDisabled}
      aria-disabled={isPending}
      aria-busy={isPending}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      onClick={isPending ? undefined : onPress}
    >
      {children}
      {shortcut !== undefined && (
        <kbd className={styles.key} aria-hidden="true">
          {shortcut}
        </kbd>
      )}
    </button>
  );
}
