import { useId, type HTMLInputAutoCompleteAttribute } from 'react';
import styles from './field.module.css';

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** A line below the field that says what belongs there. */
  hint?: string | undefined;
  /** Why the value is refused. */
  error?: string | undefined;
  type?: 'text' | 'password' | 'search' | 'number' | 'url' | 'date' | 'datetime-local';
  /** The height of a field of several lines; one line without it. */
  rows?: number;
  placeholder?: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  isRequired?: boolean;
  isReadOnly?: boolean;
  /** Whether the text is code. */
  isCode?: boolean;
  /** Values that the browser proposes while a person types; others can be given too. */
  suggestions?: readonly string[];
  /** Whether the label is read to those who do not see, and not shown. */
  hidesLabel?: boolean;
}

/** A field for text with its label. */
export function Field({ label, value, onChange, hint, error, rows, ...given }: FieldProps) {
  const id = useId();
  const { isRequired, isReadOnly, isCode, suggestions, hidesLabel = false, type = 'text', ...rest } = given;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const shared = {
    id,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    className: styles.input,
    'data-code': isCode,
    required: isRequired,
    readOnly: isReadOnly,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': described || undefined,
    spellCheck: isCode ? false : undefined,
    list: suggestions && `${id}-suggestions`,
    ...rest,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hidesLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {rows === undefined ? <input type={type} {...shared} /> : <textarea rows={rows} {...shared} />}
      {suggestions && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
