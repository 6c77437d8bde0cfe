import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { Agent } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './agents.module.css';
import { attachedQuery } from './queries.ts';

/** The connectors that are attached to an agent; provisioning gives it their tools as they are now. */
export function Connectors({ agent }: { agent: Agent }) {
  const { data: attached } = useQuery(attachedQuery(agent.id));
  const canWrite = useMay()('agents:write');
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['agents'] });
  const provision = useMutation({ mutationFn: () => holdfast.agents.provision(agent.id), onSuccess });
  const detach = useMutation({
    mutationFn: async (connectorId: string) => {
      await holdfast.agents.connectors.detach(agent.id, connectorId);
      await holdfast.agents.provision(agent.id);
    },
    onSuccess,
  });
  if (!attached || attached.length === 0) return null;
  return (
    <>
      <span className={styles.quiet}>Connectors:</span>
      {attached.map(({ id, name }) => (
        <span key={id} className={styles.connector}>
          {name}
          {canWrite && (
            <ConfirmButton
              title={`Detach ${name}?`}
              text="The agent loses all tools that it got from this connector, in a new version."
              isPending={detach.isPending}
              onConfirm={() => detach.mutate(id)}
            >
              Detach
            </ConfirmButton>
          )}
        </span>
      ))}
      {canWrite && (
        <Button isPending={provision.isPending} onPress={() => provision.mutate()}>
          Provision again
        </Button>
      )}
      <Problem error={provision.error ?? detach.error} />
    </>
  );
}
