import { useId } from 'react';
import styles from './field.module.css';

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; text: string }[];
  hidesLabel?: boolean;
  isDisabled?: boolean | undefined;
  /** Why the value is refused. */
  error?: string | undefined;
}

/** A field with a list of values of which one is chosen. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, onChange, options, hidesLabel = false, isDisabled, error } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hidesLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <select
        id={id}
        className={styles.input}
        value={value}
        disabled={isDisabled}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
