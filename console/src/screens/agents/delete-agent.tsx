import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { Agent } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { allAgentsQuery } from './queries.ts';

/** The button that deletes an agent, after it has named the consequences. */
export function DeleteAgent({ agent }: { agent: Agent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="bad" onPress={() => setOpen(true)}>
        Delete …
      </Button>
      {isOpen && <DeletionDialog agent={agent} onClose={() => setOpen(false)} />}
    </>
  );
}

function DeletionDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const [isPermanent, setPermanent] = useState(false);
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => holdfast.agents.delete(agent.id, { permanent: isPermanent ? 'true' : 'false' }),
    onSuccess: async () => {
      await navigate({ to: '/agents', ignoreBlocker: true });
      await forgetDeleted(agent.id, ['agents']);
    },
  });
  return (
    <Dialog
      title={`Delete ${agent.name}?`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Keep it</Button>
          <Button kind="bad" isPending={remove.isPending} onPress={() => remove.mutate()}>
            {isPermanent ? 'Delete for good' : 'Delete'}
          </Button>
        </>
      }
    >
      <Consequences agent={agent} />
      <Checkbox
        label="Delete its conversations too, for good"
        hint="With its versions, turns and counts. This is refused while one of its turns runs or waits."
        isChecked={isPermanent}
        onChange={setPermanent}
      />
      <Problem error={remove.error} />
    </Dialog>
  );
}

function Consequences({ agent: { id, name, project } }: { agent: Agent }) {
  const { data: agents } = useQuery(allAgentsQuery);
  const asking = agents?.filter(({ tools }) =>
    tools.some((tool) => tool.type === 'agent' && tool.config.agentId === id),
  );
  return (
    <>
      <p>
        New turns are refused until it is restored. Turns that run come to their end; its conversations can
        still be read.
        {asking && asking.length > 0 && (
          <>
            {' '}
            Agents that ask it: {asking.map((one) => one.name).join(', ')}. Their calls of it fail from then
            on.
          </>
        )}
      </p>
      {project !== null && (
        <p>
          The code of the project {project} still defines {name}: its next push creates it again.
        </p>
      )}
    </>
  );
}
