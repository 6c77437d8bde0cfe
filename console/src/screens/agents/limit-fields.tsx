import { Folded } from '../../ui/folded.tsx';
import styles from './agents.module.css';
import type { AgentDraft, PartProps } from './draft.ts';
import { hasError } from './errors.ts';
import { NumberField } from './number-field.tsx';
import { withValue } from './with-value.ts';

type Limits = AgentDraft['limits'];

interface Limit {
  name: keyof Limits;
  label: string;
  /** The default, in the unit of the label. */
  usual: string;
  /** How many units of the API one of the label is. @default 1 */
  factor?: number;
}

const limits: readonly Limit[] = [
  { name: 'turnTimeoutMs', label: 'A whole turn, in seconds', usual: '120', factor: 1_000 },
  { name: 'maxIterations', label: 'Model calls of a turn', usual: '10' },
  { name: 'maxTokens', label: 'Tokens of a turn', usual: '10000000' },
  { name: 'activityTimeoutMs', label: 'A tool call, in seconds', usual: '30', factor: 1_000 },
  { name: 'modelTimeoutMs', label: 'A model call, in seconds', usual: '3600', factor: 1_000 },
  { name: 'approvalTimeoutMs', label: 'A decision of a person, in hours', usual: '168', factor: 3_600_000 },
  { name: 'contextCharacters', label: 'Characters that a model is given', usual: '400000' },
  { name: 'maxAgentDepth', label: 'Agents that call agents, deep', usual: '3' },
  { name: 'startTimeoutMs', label: 'Waiting for a worker, in seconds', usual: '600', factor: 1_000 },
  { name: 'absenceTimeoutMs', label: 'Without a worker, in seconds', usual: '600', factor: 1_000 },
];

/** How long a turn of an agent may take, and how much it may use. */
export function LimitFields({ draft, set, errors, isReadOnly }: PartProps) {
  const count = Object.values(draft.limits).filter((value) => value !== undefined).length;
  return (
    <Folded
      title="Limits"
      summary={count === 0 ? 'the defaults' : `${count} set`}
      isNeeded={hasError(errors, 'limits')}
    >
      <div className={styles.grid}>
        {limits.map(({ name, label, usual, factor = 1 }) => (
          <NumberField
            key={name}
            label={label}
            hint={`${Number(usual).toLocaleString()} when empty`}
            factor={factor}
            value={draft.limits[name]}
            onChange={(value) => set({ limits: withValue(draft.limits, name, value) })}
            error={errors[`limits.${name}`]}
            isReadOnly={isReadOnly}
          />
        ))}
      </div>
    </Folded>
  );
}
