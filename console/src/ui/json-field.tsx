import { Field } from './field.tsx';
import { parseJson } from './parse-json.ts';

interface JsonFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  hint?: string;
  /** @default 6 */
  rows?: number;
  /** Why the API refuses the value. */
  error?: string | undefined;
  isReadOnly?: boolean;
}

/** A field for JSON, which says when its text is none. An empty one is none either, and says nothing. */
export function JsonField({ rows = 6, error, ...props }: JsonFieldProps) {
  const isWrong = props.value.trim() !== '' && parseJson(props.value) === undefined;
  return <Field isCode rows={rows} error={isWrong ? 'This is not JSON.' : error} {...props} />;
}
