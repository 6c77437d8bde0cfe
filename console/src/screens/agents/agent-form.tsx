import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './agents.module.css';
import { BasicFields } from './basic-fields.tsx';
import { CompactionFields, ExecutionFields } from './run-fields.tsx';
import { DraftJson } from './draft-json.tsx';
import type { AgentDraft, FieldErrors } from './draft.ts';
import { LimitFields } from './limit-fields.tsx';
import { ModelSettingsFields } from './model-settings-fields.tsx';
import { RuleFields } from './rule-fields.tsx';
import { SkillFields } from './skill-fields.tsx';

interface AgentFormProps {
  draft: AgentDraft;
  onChange: (draft: AgentDraft) => void;
  /** Why the last attempt to save was refused; null without one. */
  error: unknown;
  errors: FieldErrors;
  onSubmit: () => void;
  /** The buttons at the end; they get whether the draft can be sent. */
  actions?: (isReady: boolean) => ReactNode;
  isReadOnly?: boolean;
}

/** The fields of an agent, the common ones first, or all of them as JSON. */
export function AgentForm(props: AgentFormProps) {
  const { draft, onChange, error, errors, onSubmit, actions, isReadOnly = false } = props;
  const [isJson, setJson] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const part = {
    ...{ draft, errors, isReadOnly },
    set: (change: Partial<AgentDraft>) => onChange({ ...draft, ...change }),
  };
  const isReady = draft.name.trim() !== '' && draft.model.trim() !== '' && !(isJson && isWrong);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onSubmit();
      }}
    >
      <div className={styles.switch}>
        <Button kind="plain" isDisabled={isJson && isWrong} onPress={() => setJson(!isJson)}>
          {isJson ? 'Show as fields' : 'Show as JSON'}
        </Button>
      </div>
      {isJson ? (
        <DraftJson draft={draft} onChange={onChange} onWrong={setWrong} isReadOnly={isReadOnly} />
      ) : (
        <>
          <BasicFields {...part} />
          <div>
            <ModelSettingsFields {...part} />
            <LimitFields {...part} />
            <ExecutionFields {...part} />
            <CompactionFields {...part} />
            <RuleFields {...part} />
            <SkillFields {...part} />
          </div>
        </>
      )}
      {actions && (
        <div className={styles.save}>
          <Refusal error={error} errors={errors} />
          <div className={styles.buttons}>{actions(isReady)}</div>
        </div>
      )}
    </form>
  );
}

/** Why the API has refused the draft, with each field that it names. */
function Refusal({ error, errors }: Pick<AgentFormProps, 'error' | 'errors'>) {
  const fields = Object.entries(errors);
  return (
    <>
      <Problem error={error} />
      {fields.length > 0 && (
        <ul className={styles.refused} aria-label="Refused fields">
          {fields.map(([field, message]) => (
            <li key={field}>
              <code>{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
