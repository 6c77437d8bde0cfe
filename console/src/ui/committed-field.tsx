import { useState } from 'react';
import { Field } from './field.tsx';

interface CommittedFieldProps {
  label: string;
  value: string;
  /** Called with the trimmed text when it has changed, by Enter or when the field is left. */
  onCommit: (value: string) => void;
  type?: 'search' | 'date';
}

/** A field whose text takes effect when it is complete, such as a filter that asks the API. */
export function CommittedField({ label, value, onCommit, type = 'search' }: CommittedFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const commit = () => {
    if (text.trim() !== value) onCommit(text.trim());
  };
  // Not a form: it may stand in one, which Enter in it must not submit.
  return (
    <div
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        commit();
      }}
    >
      <Field label={label} type={type} value={text} onChange={setText} />
    </div>
  );
}
