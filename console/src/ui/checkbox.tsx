import { useId } from 'react';
import styles from './checkbox.module.css';

interface CheckboxProps {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  /** A line below the label that says what follows. */
  hint?: string | undefined;
  isDisabled?: boolean;
}

/** A box that is checked or not, with its label. */
export function Checkbox({ label, isChecked, onChange, hint, isDisabled }: CheckboxProps) {
  const id = useId();
  return (
    <div className={styles.checkbox}>
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <span id={`${id}-hint`} className={styles.hint}>
            {hint}
          </span>
        )}
      </div>
    </div>
  );
}
