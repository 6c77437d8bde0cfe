import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './agents.module.css';
import type { AgentDraft, FieldErrors } from './draft.ts';
import { findError } from './errors.ts';
import { JsonPart } from './json-part.tsx';
import { NumberField } from './number-field.tsx';
import { withValue } from './with-value.ts';

type Policies = NonNullable<AgentDraft['rules']['toolPolicies']>;
type Policy = Policies[string];

interface PolicyFieldsProps {
  policies: Policies;
  onChange: (policies: Policies) => void;
  /** The names of the tools of the agent. */
  names: readonly string[];
  errors: FieldErrors;
  isReadOnly: boolean;
}

/** The policies of an agent, one for each tool. */
export function PolicyFields({ policies, onChange, names, errors, isReadOnly }: PolicyFieldsProps) {
  return (
    <div className={styles.policies}>
      <h3>Policies</h3>
      {Object.entries(policies).map(([name, policy]) => (
        <PolicyOf
          key={name}
          name={name}
          policy={policy}
          onChange={(next) => onChange({ ...policies, [name]: next })}
          onRemove={() => onChange(withValue(policies, name, undefined))}
          errors={errors}
          isReadOnly={isReadOnly}
        />
      ))}
      {isReadOnly && Object.keys(policies).length === 0 && <p className={styles.quiet}>There are none.</p>}
      {!isReadOnly && (
        <NewPolicy
          names={names.filter((name) => !Object.hasOwn(policies, name))}
          onAdd={(name) => onChange({ [name]: {}, ...policies })}
        />
      )}
    </div>
  );
}

function NewPolicy({ names, onAdd }: { names: readonly string[]; onAdd: (name: string) => void }) {
  const [name, setName] = useState('');
  const add = () => {
    onAdd(name.trim());
    setName('');
  };
  return (
    <div className={styles.adding}>
      <Field
        label="Tool of a new policy"
        value={name}
        onChange={setName}
        suggestions={names}
        autoComplete="off"
      />
      <Button isDisabled={name.trim() === ''} onPress={add}>
        Add a policy
      </Button>
    </div>
  );
}

const approvals = [
  { value: '', text: 'As the tool says' },
  { value: 'ask', text: 'Ask' },
  { value: 'always_ask', text: 'Always ask' },
] as const;

interface PolicyProps {
  name: string;
  policy: Policy;
  onChange: (policy: Policy) => void;
  onRemove: () => void;
  errors: FieldErrors;
  isReadOnly: boolean;
}

function PolicyOf({ name, policy, onChange, onRemove, errors, isReadOnly }: PolicyProps) {
  // A text that is no JSON stands in the place of the policy until it is one.
  const { maxCallsPerTurn, maxCallsPerDay, approval }: Policy = typeof policy === 'object' ? policy : {};
  const change = (part: keyof Policy, value: unknown) =>
    onChange(withValue(typeof policy === 'object' ? policy : {}, part, value));
  const field = `rules.toolPolicies.${name}`;
  return (
    <fieldset className={styles.policy}>
      <legend>
        <code>{name}</code>
      </legend>
      <div className={styles.grid}>
        <NumberField
          label="Calls a turn"
          value={maxCallsPerTurn}
          onChange={(value) => change('maxCallsPerTurn', value)}
          isReadOnly={isReadOnly}
        />
        <NumberField
          label="Calls a day"
          value={maxCallsPerDay}
          onChange={(value) => change('maxCallsPerDay', value)}
          isReadOnly={isReadOnly}
        />
        <Choice
          label="Approval"
          value={approval ?? ''}
          options={approvals}
          onChange={(value) => change('approval', value === '' ? undefined : value)}
          isDisabled={isReadOnly}
        />
      </div>
      <JsonPart
        label={`Policy of ${name} as JSON`}
        hint="Also: schema, minimums, maximums, allowedValues, patterns, forbiddenFields, approvalWhen, approvers, selfApproval"
        value={policy}
        onChange={(next) => onChange(next ?? {})}
        error={findError(errors, field)}
        isReadOnly={isReadOnly}
      />
      {!isReadOnly && (
        <div className={styles.buttons}>
          <Button kind="plain" label={`Remove the policy of ${name}`} onPress={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </fieldset>
  );
}
