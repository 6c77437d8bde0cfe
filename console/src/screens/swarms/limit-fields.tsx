import { Field } from '../../ui/field.tsx';
import { isNumber, type LimitsDraft } from './swarm-draft.ts';
import styles from './swarms.module.css';

interface LimitFieldsProps {
  limits: LimitsDraft;
  onChange: (limits: LimitsDraft) => void;
}

const fields = [
  { name: 'turns', label: 'Turns', hint: '200 by default' },
  { name: 'concurrency', label: 'Subtasks at one time', hint: '5 by default' },
  { name: 'hours', label: 'Hours', hint: '168 by default' },
  { name: 'tokens', label: 'Tokens', hint: 'No limit by default' },
  { name: 'dollars', label: 'Cost in US dollars', hint: 'No limit by default' },
] as const;

/** The limits of a new swarm. */
export function LimitFields({ limits, onChange }: LimitFieldsProps) {
  return (
    <div className={styles.fields}>
      {fields.map(({ name, label, hint }) => (
        <Field
          key={name}
          label={label}
          hint={hint}
          value={limits[name]}
          error={isNumber(limits[name]) ? undefined : 'This is not a number.'}
          onChange={(value) => onChange({ ...limits, [name]: value })}
        />
      ))}
    </div>
  );
}
