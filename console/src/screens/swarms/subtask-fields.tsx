import type { Subtask } from '../../api/types.ts';
import { useAgentNames } from '../../live/names.ts';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import type { SubtaskDraft } from './swarm-draft.ts';
import styles from './swarms.module.css';

const priorities = (['high', 'medium', 'low'] as const).map((value) => ({ value, text: value }));

interface SubtaskFieldsProps {
  draft: SubtaskDraft;
  onChange: (draft: SubtaskDraft) => void;
  /** The agents that may do it, by their ids or names. */
  assignees: ReadonlyMap<string, string>;
  /** Whether the subtask exists: its id stays. */
  isKnown?: boolean;
}

/** The fields of a subtask. */
export function SubtaskFields({ draft, onChange, assignees, isKnown = false }: SubtaskFieldsProps) {
  return (
    <div className={styles.fields}>
      <Field
        label="Id"
        isCode
        isReadOnly={isKnown}
        value={draft.id}
        onChange={(id) => onChange({ ...draft, id })}
      />
      <NamedChoice
        label="Done by"
        value={draft.assignee}
        onChange={(assignee) => onChange({ ...draft, assignee })}
        names={assignees}
        none="The leader"
      />
      <Field
        label="After"
        hint="Ids of subtasks, with commas"
        isCode
        value={draft.after}
        onChange={(after) => onChange({ ...draft, after })}
      />
      <Choice<Subtask['priority']>
        label="Priority"
        value={draft.priority}
        options={priorities}
        onChange={(priority) => onChange({ ...draft, priority })}
      />
      <div className={styles.whole}>
        <Field
          label="The work, in full"
          rows={3}
          value={draft.description}
          onChange={(description) => onChange({ ...draft, description })}
        />
      </div>
    </div>
  );
}

interface Member {
  agentId: string;
  name?: string | undefined;
}

/** The agents that may do subtasks: the members by their names in the team or their ids, and the leader. */
export function useAssignees(members: readonly Member[], leader: string | null): ReadonlyMap<string, string> {
  const names = useAgentNames();
  const known = members
    .filter(({ agentId }) => agentId !== '')
    .map(({ agentId, name }) => [name || agentId, name || (names?.get(agentId) ?? agentId)] as const);
  const isMember = leader === null || leader === '' || members.some(({ agentId }) => agentId === leader);
  return new Map([...known, ...(isMember ? [] : [[leader, names?.get(leader) ?? leader] as const])]);
}
