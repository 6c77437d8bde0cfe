import { useState } from 'react';
import { JsonField } from '../../ui/json-field.tsx';
import { parseJson } from '../../ui/parse-json.ts';

interface JsonPartProps<Value extends object> {
  label: string;
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  hint?: string;
  rows?: number;
  error?: string | undefined;
  isReadOnly?: boolean;
}

const toText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/**
 * A field for a part of an agent that is an object of JSON; empty for none. A text that is not JSON stands in the draft as it is: the
 * API refuses it at its field, so that it cannot be lost when the agent is saved.
 */
export function JsonPart<Value extends object>({ value, onChange, ...props }: JsonPartProps<Value>) {
  const [text, setText] = useState(() => toText(value));
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(toText(value));
  }
  const change = (typed: string) => {
    const next = (typed.trim() === '' ? undefined : (parseJson(typed) ?? typed)) as Value | undefined;
    setText(typed);
    setKnown(next);
    onChange(next);
  };
  return <JsonField rows={4} {...props} value={text} onChange={change} />;
}
