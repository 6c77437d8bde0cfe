import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { toAuthName, toDraft, type AuthDraft, type AuthOffer } from './auth-offers.ts';

interface AuthFieldsProps {
  offers: readonly AuthOffer[];
  draft: AuthDraft;
  onChange: (draft: AuthDraft) => void;
  /** Why fields were refused, by names such as `auth.token`. */
  errors: Readonly<Record<string, string>>;
}

/** The fields of the credentials of a server: the type when there are several, and what the type needs. */
export function AuthFields({ offers, draft, onChange, errors }: AuthFieldsProps) {
  const offer = offers.find(({ type }) => type === draft.type);
  const change = (type: AuthDraft['type']) => {
    const next = offers.find((one) => one.type === type);
    if (next) onChange(toDraft(next));
  };
  return (
    <>
      {offers.length > 1 && (
        <Choice
          label="Credentials"
          value={draft.type}
          options={offers.map(({ type }) => ({ value: type, text: toAuthName(type) }))}
          onChange={change}
        />
      )}
      {offer?.fields.map(({ name, label, secret, required }) => (
        <Field
          key={`${draft.type} ${name}`}
          label={label}
          type={secret ? 'password' : 'text'}
          autoComplete="off"
          value={draft.values[name] ?? ''}
          isRequired={required}
          error={errors[`auth.${name}`]}
          onChange={(value) => onChange({ ...draft, values: { ...draft.values, [name]: value } })}
        />
      ))}
    </>
  );
}
