import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { formatDateTime } from '../../ui/format.ts';
import type { ChangeDraft, Draft } from './draft.ts';
import { modelsQuery, versionsQuery } from './queries.ts';
import styles from './replays.module.css';

interface CandidateFieldsProps {
  /** The agent of the runs; undefined when they are of several. */
  agentId: string | undefined;
  draft: Draft;
  onChange: ChangeDraft;
}

/** What is tried: another version of the agent, another model, other instructions, or several of these. */
export function CandidateFields({ agentId = '', draft, onChange }: CandidateFieldsProps) {
  const canRead = useMay()('agents:read');
  const versions = useQuery({ ...versionsQuery(agentId), enabled: agentId !== '' && canRead });
  const known = versions.data?.items ?? [];
  const models = useQuery({ ...modelsQuery, enabled: canRead });
  const base = known.find(({ id }) => id === draft.agentVersionId) ?? known[0];
  const isUnchanged = draft.agentVersionId === '' && draft.model === '' && draft.instructions === '';
  return (
    <>
      <div className={styles.row}>
        <Choice
          label="Version"
          value={draft.agentVersionId}
          options={[
            { value: '', text: 'The recorded one' },
            ...known.map(({ id, version, model, createdAt }) => ({
              value: id,
              text: `Version ${version}: ${model}, ${formatDateTime(createdAt)}`,
            })),
          ]}
          onChange={(agentVersionId) => onChange({ agentVersionId })}
        />
        <Choice
          label="Model"
          value={draft.model}
          options={[
            { value: '', text: 'That of the version' },
            ...(models.data?.models.map(({ name }) => ({ value: name, text: name })) ?? []),
          ]}
          onChange={(model) => onChange({ model })}
        />
      </div>
      <Field
        label="Instructions"
        rows={draft.instructions === '' ? 2 : 10}
        value={draft.instructions}
        placeholder="Those of the version"
        hint={agentId === '' && canRead ? 'Choose an agent above to try another of its versions.' : undefined}
        onChange={(instructions) => onChange({ instructions })}
      />
      {base && draft.instructions === '' && (
        <div>
          <Button onPress={() => onChange({ instructions: base.instructions })}>
            Edit the instructions of version {base.version}
          </Button>
        </div>
      )}
      {isUnchanged && (
        <p className={styles.quiet}>
          Nothing is changed: the replay shows how much the answers of the model differ by themselves.
        </p>
      )}
    </>
  );
}
