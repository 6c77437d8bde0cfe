import { Choice } from './choice.tsx';
import { Field } from './field.tsx';

interface NamedChoiceProps {
  label: string;
  /** An id; empty for none. */
  value: string;
  onChange: (id: string) => void;
  /** Names by ids; without them the id is typed. */
  names: ReadonlyMap<string, string> | undefined;
  /** The text for none. @default 'Choose one' */
  none?: string;
  error?: string | undefined;
  isDisabled?: boolean;
}

/** Chooses one of many by its name, or by its id where the names may not be read. */
export function NamedChoice(props: NamedChoiceProps) {
  const { label, value, onChange, names, none = 'Choose one', error, isDisabled = false } = props;
  const shared = { value, onChange, error };
  if (!names) return <Field {...shared} label={`${label} (id)`} isReadOnly={isDisabled} />;
  const known = [...names].toSorted(([, one], [, other]) => one.localeCompare(other));
  const missing = value === '' || names.has(value) ? [] : [[value, value] as const];
  const options = [['', none] as const, ...missing, ...known].map(([id, text]) => ({ value: id, text }));
  return <Choice {...shared} label={label} options={options} isDisabled={isDisabled} />;
}
