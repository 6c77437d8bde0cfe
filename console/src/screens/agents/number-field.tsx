import { useState } from 'react';
import { Field } from '../../ui/field.tsx';

interface NumberFieldProps {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  /** How many units of the value one of the field is, such as 1000 for seconds of a value in milliseconds. @default 1 */
  factor?: number;
  hint?: string | undefined;
  error?: string | undefined;
  isReadOnly?: boolean;
}

/** A field for a number that is not negative; empty for none. */
export function NumberField({ value, onChange, factor = 1, ...props }: NumberFieldProps) {
  const toText = (number: number | undefined) => (number === undefined ? '' : String(number / factor));
  const [text, setText] = useState(() => toText(value));
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(toText(value));
  }
  const change = (typed: string) => {
    // Many people write a decimal comma; the field shows what it was taken for.
    const digits = typed
      .replaceAll(',', '.')
      .replaceAll(/[^\d.]/g, '')
      .replace(/(\..*)\./, '$1');
    // 1.005 * 1000 is 1004.9999999999999.
    const number = factor === 1 ? Number(digits) : Math.round(Number(digits) * factor);
    const next = digits === '' || digits === '.' ? undefined : number;
    setText(digits);
    setKnown(next);
    onChange(next);
  };
  return <Field {...props} value={text} onChange={change} />;
}
