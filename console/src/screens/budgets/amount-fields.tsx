import { Field } from '../../ui/field.tsx';

interface AmountFieldsProps {
  dollars: string;
  message: string;
  /** The messages of the API by the names of its fields. */
  errors: Readonly<Record<string, string>>;
  onChange: (change: { dollars?: string; message?: string }) => void;
}

/** How much a budget allows, and what people read when it ends their turn. */
export function AmountFields({ dollars, message, errors, onChange }: AmountFieldsProps) {
  return (
    <>
      <Field
        label="Amount in US dollars"
        value={dollars}
        isRequired
        placeholder="25.00"
        error={errors['dollars'] ?? errors['credits']}
        onChange={(text) => onChange({ dollars: text })}
      />
      <Field
        label="What people read when it ends their turn"
        rows={2}
        value={message}
        placeholder="The standard sentence"
        error={errors['message']}
        onChange={(text) => onChange({ message: text })}
      />
    </>
  );
}
