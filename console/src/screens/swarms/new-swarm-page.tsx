import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form, Section, Sections } from '../../ui/section.tsx';
import { LimitFields } from './limit-fields.tsx';
import { MemberFields } from './member-fields.tsx';
import { teamNamesQuery } from './queries.ts';
import { SubtaskFields, useAssignees } from './subtask-fields.tsx';
import { emptySwarm, isNumber, toRequest, type SwarmDraft } from './swarm-draft.ts';
import styles from './swarms.module.css';

/** Starts a swarm. */
export function Page() {
  const canWrite = useMay()('swarms:write');
  if (!canWrite) return <Empty title="You may not start swarms" />;
  return (
    <Frame title="New swarm">
      <SwarmForm />
    </Frame>
  );
}

function SwarmForm() {
  const [draft, setDraft] = useState(emptySwarm);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () => holdfast.swarms.create(toRequest(draft)),
    onSuccess: async ({ id }) => {
      await navigate({ to: '/swarms/$swarmId', params: { swarmId: id } });
      await queries.invalidateQueries({ queryKey: ['swarms'] });
    },
  });
  const change = (next: Partial<SwarmDraft>) => setDraft({ ...draft, ...next });
  return (
    <Form onSubmit={() => start.mutate()}>
      <Sections>
        <Section title="Goal">
          <GoalFields draft={draft} onChange={change} />
        </Section>
        <Section title="Members">
          <MemberFields members={draft.members} onChange={(members) => change({ members })} />
        </Section>
        <Section title="Subtasks">
          <Subtasks draft={draft} onChange={change} />
        </Section>
        <Section title="Limits">
          <LimitFields limits={draft.limits} onChange={(limits) => change({ limits })} />
        </Section>
        <Problem error={start.error} />
        <Buttons>
          <Button
            kind="main"
            type="submit"
            isPending={start.isPending}
            isDisabled={draft.goal.trim() === '' || !Object.values(draft.limits).every(isNumber)}
          >
            Start
          </Button>
        </Buttons>
      </Sections>
    </Form>
  );
}

interface DraftProps {
  draft: SwarmDraft;
  onChange: (change: Partial<SwarmDraft>) => void;
}

function GoalFields({ draft, onChange }: DraftProps) {
  const agents = useAgentNames();
  const { data: teams } = useQuery({ ...teamNamesQuery, enabled: useMay()('resources:read') });
  return (
    <div className={styles.narrow}>
      <Field label="Goal" rows={3} value={draft.goal} onChange={(goal) => onChange({ goal })} />
      <NamedChoice
        label="Leader, which plans"
        value={draft.leader}
        onChange={(leader) => onChange({ leader })}
        names={agents}
        none="None: the subtasks below are all"
      />
      {teams && teams.size > 0 && (
        <NamedChoice
          label="Team"
          value={draft.teamId}
          onChange={(teamId) => onChange({ teamId })}
          names={teams}
          none="The members below"
        />
      )}
    </div>
  );
}

function Subtasks({ draft, onChange }: DraftProps) {
  const { subtasks, members, leader } = draft;
  const assignees = useAssignees(members, leader);
  const add = () => {
    const key = Math.max(0, ...subtasks.map((one) => one.key)) + 1;
    const added = { key, id: '', description: '', assignee: '', after: '', priority: 'medium' as const };
    onChange({ subtasks: [...subtasks, added] });
  };
  return (
    <>
      {subtasks.length === 0 && <p className={styles.quiet}>Without subtasks the leader plans them.</p>}
      {subtasks.map((subtask, index) => (
        <div key={subtask.key} className={styles.item} role="group" aria-label={`Subtask ${index + 1}`}>
          <SubtaskFields
            draft={subtask}
            assignees={assignees}
            onChange={(next) => onChange({ subtasks: subtasks.with(index, next) })}
          />
          <Button
            kind="plain"
            label={`Remove subtask ${index + 1}`}
            onPress={() => onChange({ subtasks: subtasks.toSpliced(index, 1) })}
          >
            Remove
          </Button>
        </div>
      ))}
      <Buttons>
        <Button onPress={add}>Add a subtask</Button>
      </Buttons>
    </>
  );
}
