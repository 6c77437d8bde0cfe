import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { Buttons } from '../../ui/section.tsx';
import type { MemberDraft } from './swarm-draft.ts';
import styles from './swarms.module.css';

interface MemberFieldsProps {
  members: readonly MemberDraft[];
  onChange: (members: readonly MemberDraft[]) => void;
}

/** The agents of a new swarm. */
export function MemberFields({ members, onChange }: MemberFieldsProps) {
  const agents = useAgentNames();
  const add = () => {
    const key = Math.max(0, ...members.map((one) => one.key)) + 1;
    onChange([...members, { key, agentId: '', name: '', role: '' }]);
  };
  return (
    <>
      {members.map((member, index) => {
        const change = (next: Partial<MemberDraft>) => onChange(members.with(index, { ...member, ...next }));
        return (
          <div key={member.key} className={styles.item} role="group" aria-label={`Member ${index + 1}`}>
            <div className={styles.fields}>
              <NamedChoice
                label="Agent"
                value={member.agentId}
                onChange={(agentId) => change({ agentId })}
                names={agents}
              />
              <Field label="Name in the team" value={member.name} onChange={(name) => change({ name })} />
              <Field label="What it is for" value={member.role} onChange={(role) => change({ role })} />
            </div>
            <Button
              kind="plain"
              label={`Remove member ${index + 1}`}
              onPress={() => onChange(members.toSpliced(index, 1))}
            >
              Remove
            </Button>
          </div>
        );
      })}
      <Buttons>
        <Button onPress={add}>Add a member</Button>
      </Buttons>
    </>
  );
}
