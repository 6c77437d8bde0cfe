import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../app/session.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import type { ChangeDraft, Draft } from './draft.ts';
import { modelsQuery } from './queries.ts';
import styles from './replays.module.css';

interface SettingFieldsProps {
  draft: Draft;
  onChange: ChangeDraft;
}

const modes = [
  { value: 'turns', text: 'Each turn on its recorded history' },
  { value: 'conversations', text: 'Whole conversations, on what the replay has said' },
] as const;

const misses = [
  { value: 'stop', text: 'Stop the case' },
  { value: 'stub', text: 'Answer with a stub' },
] as const;

/** Makes real calls, which only who may start turns may do. */
const liveMiss = { value: 'live_if_read_only', text: 'Call the tool, if it only reads' } as const;

/** How a replay is run. */
export function SettingFields({ draft, onChange }: SettingFieldsProps) {
  const isLive = useMay()('conversations:write');
  return (
    <>
      <Checkbox
        label="Run the recorded version again too"
        hint="The candidate is compared with it, so that the noise of the model is known, and cost and time can be compared. It doubles the cost."
        isChecked={draft.baseline}
        onChange={(baseline) => onChange({ baseline })}
      />
      <div className={styles.row}>
        <Field
          label="At most so many runs, at random"
          type="number"
          value={draft.sample}
          placeholder="All"
          onChange={(sample) => onChange({ sample })}
        />
        <Field
          label="Stop at a cost of (USD)"
          value={draft.mostDollars}
          placeholder="No limit"
          onChange={(mostDollars) => onChange({ mostDollars })}
        />
      </div>
      <details className={styles.more}>
        <summary>More settings</summary>
        <div className={styles.narrow}>
          <div className={styles.row}>
            <Choice
              label="History"
              value={draft.mode}
              options={modes}
              onChange={(mode) => onChange({ mode })}
            />
            <Choice
              label="A call without a recorded answer"
              value={draft.onMiss}
              options={isLive ? [...misses, liveMiss] : misses}
              onChange={(onMiss) => onChange({ onMiss })}
            />
            <Field
              label="Runs of each case"
              type="number"
              value={draft.repeats}
              placeholder="1"
              onChange={(repeats) => onChange({ repeats })}
            />
          </div>
          <JudgeFields draft={draft} onChange={onChange} />
        </div>
      </details>
    </>
  );
}

function JudgeFields({ draft, onChange }: SettingFieldsProps) {
  const models = useQuery({ ...modelsQuery, enabled: useMay()('agents:read') });
  return (
    <>
      <Choice
        label="Judge, a model that compares the answers"
        value={draft.judgeModel}
        options={[
          { value: '', text: 'None' },
          ...(models.data?.models.map(({ name }) => ({ value: name, text: name })) ?? []),
        ]}
        onChange={(judgeModel) => onChange({ judgeModel })}
      />
      {draft.judgeModel !== '' && (
        <Field
          label="Rubric"
          rows={4}
          value={draft.rubric}
          isRequired
          hint="What makes an answer better than another one."
          onChange={(rubric) => onChange({ rubric })}
        />
      )}
    </>
  );
}
