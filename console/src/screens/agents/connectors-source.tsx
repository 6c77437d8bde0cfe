import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { Agent, Connector } from '../../api/types.ts';
import { connectionQuery } from '../../live/connect/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './add-tools.module.css';
import { ConnectionOffers } from './connection-offers.tsx';
import { attachedQuery, connectorsQuery } from './queries.ts';
import type { SourceProps } from './source.ts';

/** Connectors: some of the tools that one of them offers, or the whole connector. */
export function ConnectorsSource({ agent, present, basket, onProvisioned }: SourceProps) {
  const connectors = useQuery(connectorsQuery);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const known = connectors.data ?? [];
  const chosen = known.find(({ id }) => id === chosenId) ?? known[0];
  const connection = useQuery({
    ...connectionQuery(chosen?.connectionId ?? ''),
    enabled: chosen !== undefined,
  });
  if (connectors.data?.length === 0)
    return (
      <p className={styles.none}>
        There is no connector yet.{' '}
        <Link to="/connections" search={{ tab: 'connectors' }}>
          Create one in Connections
        </Link>
      </p>
    );
  return (
    <>
      <Problem error={connectors.error ?? connection.error} />
      {chosen && (
        <div className={styles.filters}>
          <Choice
            label="Connector"
            value={chosen.id}
            options={known.map(({ id, name }) => ({ value: id, text: name }))}
            onChange={setChosenId}
          />
          <AttachButton agent={agent} connector={chosen} onProvisioned={onProvisioned} />
        </div>
      )}
      {chosen && connection.data && (
        <ConnectionOffers
          key={chosen.id}
          connection={connection.data}
          only={chosen.tools}
          present={present}
          basket={basket}
        />
      )}
    </>
  );
}

interface AttachButtonProps extends Pick<SourceProps, 'onProvisioned'> {
  agent: Agent;
  connector: Connector;
}

/** Attaches a whole connector: the agent gets all of its tools, and their changes each time that it is provisioned. */
function AttachButton({ agent, connector: { id, name }, onProvisioned }: AttachButtonProps) {
  const { data: attached } = useQuery(attachedQuery(agent.id));
  const queries = useQueryClient();
  const attach = useMutation({
    mutationFn: async () => {
      await holdfast.agents.connectors.attach(agent.id, { connectorId: id });
      await holdfast.agents.provision(agent.id);
    },
    onSuccess: () => onProvisioned(name),
    onSettled: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
  if (!attached) return null;
  if (attached.some((connector) => connector.id === id))
    return <span className={styles.quiet}>It is attached: the agent has all of its tools.</span>;
  return (
    <>
      <Button isPending={attach.isPending} onPress={() => attach.mutate()}>
        Attach the whole connector
      </Button>
      <Problem error={attach.error} />
    </>
  );
}
