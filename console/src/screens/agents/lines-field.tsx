import { useState } from 'react';
import { Field } from '../../ui/field.tsx';

interface LinesFieldProps {
  label: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
  hint?: string;
  error?: string | undefined;
  isReadOnly?: boolean;
}

/** A field for a list of texts, one a line; empty lines are none. */
export function LinesField({ value, onChange, ...props }: LinesFieldProps) {
  const joined = value.join('\n');
  const [text, setText] = useState(joined);
  const [known, setKnown] = useState(joined);
  if (known !== joined) {
    setKnown(joined);
    setText(joined);
  }
  const toLines = (typed: string) =>
    typed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  const change = (typed: string) => {
    const lines = toLines(typed);
    setText(typed);
    setKnown(lines.join('\n'));
    onChange(lines);
  };
  return (
    <Field rows={Math.min(Math.max(value.length, 2), 8)} isCode {...props} value={text} onChange={change} />
  );
}
