import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import styles from './button.module.css';

interface ButtonProps {
  children: ReactNode;
  onPress?: () => void;
  /** `main` is the one thing to do; `bad` destroys; `plain` has no frame. @default 'quiet' */
  kind?: 'main' | 'quiet' | 'bad' | 'plain';
  type?: 'button' | 'submit';
  isDisabled?: boolean;
  /** Whether its work runs: it stays focusable and cannot be pressed. */
  isPending?: boolean;
  /** The name for those who do not see the content. */
  label?: string;
  /** The key that does the same, such as `a`. */
  shortcut?: string;
}

/** A button. */
export function Button({ children, kind = 'quiet', label, shortcut, ...given }: ButtonProps) {
  return (
    <AriaButton
      {...given}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className={styles.button ?? ''}
      data-kind={kind}
    >
      {children}
      {shortcut !== undefined && <kbd className={styles.key}>{shortcut}</kbd>}
    </AriaButton>
  );
}
