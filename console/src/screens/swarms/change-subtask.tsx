import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { Subtask } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import type { Swarm } from './queries.ts';
import { SubtaskFields, useAssignees } from './subtask-fields.tsx';
import { toSubtask, type SubtaskDraft } from './swarm-draft.ts';

const emptySubtask: SubtaskDraft = {
  key: 0,
  id: '',
  description: '',
  assignee: '',
  after: '',
  priority: 'medium',
};

/** Adds a subtask, which begins when all that it depends on is done. */
export function AddSubtask({ swarm }: { swarm: Swarm }) {
  return <SubtaskDialog text="Add a subtask …" title="Add a subtask" first={emptySubtask} swarm={swarm} />;
}

/** Changes the work, the agent, the order or the priority of a subtask. */
export function ChangeSubtask({ subtask, swarm }: { subtask: Subtask; swarm: Swarm }) {
  const { id, description, assignee, depends_on: needed, priority } = subtask;
  const first = { key: 0, id, description, assignee, after: needed.join(', '), priority };
  return <SubtaskDialog text="Change …" title={`Change ${id}`} first={first} swarm={swarm} />;
}

interface SubtaskDialogProps {
  text: string;
  title: string;
  first: SubtaskDraft;
  swarm: Swarm;
}

function SubtaskDialog({ text, title, first, swarm }: SubtaskDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{text}</Button>
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        <SubtaskForm first={first} swarm={swarm} onDone={close} />
      </Dialog>
    </>
  );
}

interface SubtaskFormProps {
  first: SubtaskDraft;
  swarm: Swarm;
  onDone: () => void;
}

function SubtaskForm({ first, swarm, onDone }: SubtaskFormProps) {
  const [draft, setDraft] = useState(first);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => holdfast.swarms.update(swarm.id, { subTasks: { set: [toSubtask(draft)] } }),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['swarms'] }),
  });
  const isReady = draft.id.trim() !== '' && draft.description.trim() !== '';
  return (
    <Form onSubmit={() => save.mutate()}>
      <SubtaskFields
        draft={draft}
        onChange={setDraft}
        assignees={useAssignees(swarm.state.teamConfig.members ?? [], swarm.leader)}
        isKnown={first.id !== ''}
      />
      <Problem error={save.error} />
      <Buttons>
        <Button kind="main" type="submit" isPending={save.isPending} isDisabled={!isReady}>
          Save
        </Button>
      </Buttons>
    </Form>
  );
}
