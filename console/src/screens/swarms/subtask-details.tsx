import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import type { Subtask } from '../../api/types.ts';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatDateTime, formatDuration } from '../../ui/format.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons } from '../../ui/section.tsx';
import { Part } from '../../ui/split.tsx';
import { Status } from '../../ui/status.tsx';
import { ChangeSubtask } from './change-subtask.tsx';
import type { Swarm } from './queries.ts';
import { useMayChange } from './swarm-actions.tsx';
import styles from './work.module.css';

interface SubtaskDetailsProps {
  subtask: Subtask;
  swarm: Swarm;
}

/** One subtask in full: the work, its result, and what can be done with it. */
export function SubtaskDetails({ subtask, swarm }: SubtaskDetailsProps) {
  const { id, description, depends_on: needed, status, result, error, turn_id: turnId } = subtask;
  const { started_at: startedAt, ended_at: endedAt } = subtask;
  return (
    <Part
      title={id}
      level={2}
      actions={
        <Link to="." search={(before: object) => ({ ...before, subtask: undefined })} replace>
          Show the swarm
        </Link>
      }
    >
      <p>{description}</p>
      <Facts
        facts={[
          ['State', <Status key="state" status={status} />],
          ['Done by', useAssignee(swarm, subtask.assignee)],
          ['After', needed.join(', ')],
          ['Priority', subtask.priority],
          ['Attempts', subtask.attempts],
          ['Began', startedAt === null ? null : formatDateTime(startedAt)],
          ['Took', toDuration(startedAt, endedAt)],
        ]}
      />
      {turnId !== null && (
        <Link to="/runs/$turnId" params={{ turnId }}>
          Open its run
        </Link>
      )}
      {error !== null && (
        <Part title="Error">
          <p className={styles.error}>{error.message}</p>
        </Part>
      )}
      {result !== null && (
        <Part title="Result">
          <Markdown text={result} />
        </Part>
      )}
      {useMayChange(swarm) && <Actions subtask={subtask} swarm={swarm} />}
    </Part>
  );
}

/** The name of the agent that does a subtask: that in the team, or that of the agent where it has several there. */
export function useAssignee({ state }: Swarm, assignee: string): string {
  const names = useAgentNames();
  const members = state.teamConfig.members ?? [];
  const fitting = members.filter(({ agentId, name }) => agentId === assignee || name === assignee);
  const [member] = fitting.length === 1 ? fitting : [];
  return member?.name ?? names?.get(assignee) ?? assignee;
}

function toDuration(startedAt: string | null, endedAt: string | null): string | null {
  if (startedAt === null || endedAt === null) return null;
  return formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
}

function Actions({ subtask: { id, status, ...subtask }, swarm }: SubtaskDetailsProps) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (next: 'todo' | 'canceled' | 'delete') =>
      holdfast.swarms.update(swarm.id, {
        subTasks: next === 'delete' ? { delete: [id] } : { set: [{ id, status: next }] },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['swarms'] }),
  });
  const isOpen = status === 'todo' || status === 'in_progress';
  return (
    <>
      <Problem error={change.error} />
      <Buttons>
        <ChangeSubtask subtask={{ ...subtask, id, status }} swarm={swarm} />
        {isOpen ? (
          <Button isPending={change.isPending} onPress={() => change.mutate('canceled')}>
            Cancel it
          </Button>
        ) : (
          <Button isPending={change.isPending} onPress={() => change.mutate('todo')}>
            Run it again
          </Button>
        )}
        <ConfirmButton
          title={`Delete the subtask ${id}?`}
          text="A subtask that runs is stopped. One that others depend on is not deleted."
          isPending={change.isPending}
          onConfirm={() => change.mutate('delete')}
        >
          Delete
        </ConfirmButton>
      </Buttons>
    </>
  );
}
