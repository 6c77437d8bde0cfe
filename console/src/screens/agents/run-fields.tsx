import { useQuery } from '@tanstack/react-query';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Folded } from '../../ui/folded.tsx';
import styles from './agents.module.css';
import type { PartProps } from './draft.ts';
import { hasError } from './errors.ts';
import { NumberField } from './number-field.tsx';
import { modelsQuery } from './queries.ts';

const executions = [
  { value: 'inspectable', text: 'Inspectable: each step is an activity of Temporal' },
  { value: 'direct', text: 'Direct: no workflow while the turn does not wait' },
] as const;

const callsInText = [
  { value: '', text: 'As the model needs it' },
  { value: 'true', text: 'Yes' },
  { value: 'false', text: 'No' },
] as const;

/** How the turns of an agent run. */
export function ExecutionFields({ draft, set, errors, isReadOnly }: PartProps) {
  return (
    <Folded
      title="Execution"
      summary={draft.execution}
      isNeeded={hasError(errors, 'execution', 'toolCallsInText')}
    >
      <div className={styles.pair}>
        <Choice
          label="Steps of a turn"
          value={draft.execution}
          options={executions}
          onChange={(execution) => set({ execution })}
          isDisabled={isReadOnly}
          error={errors['execution']}
        />
        <Choice
          label="Run tool calls that the model writes into its text"
          value={draft.toolCallsInText === null ? '' : draft.toolCallsInText ? 'true' : 'false'}
          options={callsInText}
          onChange={(value) => set({ toolCallsInText: value === '' ? null : value === 'true' })}
          isDisabled={isReadOnly}
          error={errors['toolCallsInText']}
        />
      </div>
    </Folded>
  );
}

const compactions = [
  { value: 'oldest_first', text: 'Leave out the oldest turns' },
  { value: 'summarize', text: 'Summarize the oldest turns' },
  { value: 'off', text: 'Not at all: the turn fails' },
] as const;

/** How a conversation is shortened that is too long for the model. */
export function CompactionFields({ draft, set, errors, isReadOnly }: PartProps) {
  const { data } = useQuery(modelsQuery);
  const { compaction, compactionThreshold, summaryModel } = draft;
  return (
    <Folded
      title="Compaction"
      summary={compactions.find(({ value }) => value === compaction)?.text.toLowerCase()}
      isNeeded={hasError(errors, 'compaction', 'compactionThreshold', 'summaryModel')}
    >
      <div className={styles.grid}>
        <Choice
          label="A conversation that is too long"
          value={compaction}
          options={compactions}
          onChange={(next) => set({ compaction: next })}
          isDisabled={isReadOnly}
          error={errors['compaction']}
        />
        <NumberField
          label="Too long above, in tokens"
          hint="What fits the model when empty"
          value={compactionThreshold ?? undefined}
          onChange={(next) => set({ compactionThreshold: next ?? null })}
          error={errors['compactionThreshold']}
          isReadOnly={isReadOnly}
        />
        <Field
          label="Model that writes summaries"
          hint="That of the agent when empty"
          value={summaryModel ?? ''}
          onChange={(next) => set({ summaryModel: next === '' ? null : next })}
          suggestions={data?.models.map(({ name }) => name) ?? []}
          error={errors['summaryModel']}
          isReadOnly={isReadOnly}
          autoComplete="off"
        />
      </div>
    </Folded>
  );
}
