import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import type { AuthOffer } from './auth-offers.ts';
import type { Target } from './targets.ts';

/** The name of a connection and where it leads, as a person has filled them in. */
export interface AddressDraft {
  name: string;
  endpoint: string;
  variables: Readonly<Record<string, string>>;
}

/** What an address is for. */
interface AddressOf {
  target: Pick<Target, 'variables' | 'endpoint'>;
  authType: AuthOffer['type'];
}

interface AddressFieldsProps extends AddressOf {
  draft: AddressDraft;
  onChange: (draft: AddressDraft) => void;
  /** Why fields were refused, by names such as `endpoint`. */
  errors: Readonly<Record<string, string>>;
}

/** The name of a connection, its endpoint, and the variables of the address of its provider. */
export function AddressFields({ target, authType, draft, onChange, errors }: AddressFieldsProps) {
  const setVariable = (name: string, value: string) =>
    onChange({ ...draft, variables: { ...draft.variables, [name]: value } });
  return (
    <>
      <Field
        label="Name"
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        error={errors['name']}
        isRequired
      />
      {target.endpoint !== 'none' && (
        <Field
          label={target.endpoint === 'required' ? 'Endpoint' : 'Endpoint, where it is not that of the vendor'}
          type="url"
          placeholder="https://"
          value={draft.endpoint}
          onChange={(endpoint) => onChange({ ...draft, endpoint })}
          error={errors['endpoint']}
          isRequired={target.endpoint === 'required'}
        />
      )}
      {listVariables({ target, authType }).map((variable) => (
        <Variable
          key={variable.name}
          variable={variable}
          value={draft.variables[variable.name] ?? variable.default ?? ''}
          onChange={(value) => setVariable(variable.name, value)}
          error={errors[`variables.${variable.name}`]}
        />
      ))}
    </>
  );
}

/** Returns the fields of an address for the API; those without a value are left out. */
export function toAddress({ name, endpoint, variables }: AddressDraft, of: AddressOf) {
  const given = listVariables(of).flatMap((variable) => {
    const value = (variables[variable.name] ?? variable.default ?? '').trim();
    return value === '' ? [] : [[variable.name, value] as const];
  });
  return {
    name: name.trim(),
    ...(endpoint.trim() === '' ? {} : { endpoint: endpoint.trim() }),
    ...(given.length === 0 ? {} : { variables: Object.fromEntries(given) }),
  };
}

const listVariables = ({ target, authType }: AddressOf) =>
  target.variables.filter(({ authTypes }) => authTypes.length === 0 || authTypes.includes(authType));

interface VariableProps {
  variable: Target['variables'][number];
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

function Variable({ variable, value, onChange, error }: VariableProps) {
  const { name, description, example, oneOf } = variable;
  if (oneOf)
    return (
      <Choice
        label={description || name}
        value={value}
        options={['', ...oneOf].map((one) => ({ value: one, text: one === '' ? 'Choose one' : one }))}
        onChange={onChange}
      />
    );
  return (
    <Field
      label={description || name}
      placeholder={example}
      value={value}
      onChange={onChange}
      error={error}
      isRequired
    />
  );
}
