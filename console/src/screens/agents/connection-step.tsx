import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Connection, GetProviderResponse } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { onConsent } from '../../live/connect/consent.ts';
import { NewConnectionForm } from '../../live/connect/new-connection-form.tsx';
import type { Target } from '../../live/connect/targets.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { toWords } from '../../ui/tone.ts';
import styles from './add-tools.module.css';
import { ConnectionOffers } from './connection-offers.tsx';
import { connectionsQuery, connectorsQuery } from './queries.ts';
import type { SourceProps } from './source.ts';

interface ConnectionStepProps extends Pick<SourceProps, 'present' | 'basket'> {
  /** What the connections lead to. */
  target: Target;
  /** The operations of the provider; none for an MCP server. */
  operations?: GetProviderResponse['operations'];
}

/** Chooses a connection to a target or creates one, and then among the tools behind it. */
export function ConnectionStep({ target, operations, present, basket }: ConnectionStepProps) {
  const connections = useConnectionsOf(target.provider);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [isNew, setNew] = useState(false);
  const canCreate = useMay()('connections:write');
  const known = connections.data ?? [];
  const chosen =
    known.find(({ id }) => id === chosenId) ?? known.find(({ status }) => status === 'active') ?? known[0];
  if (!connections.data) return <Problem error={connections.error} />;
  const creates = canCreate && (isNew || known.length === 0);
  return (
    <>
      {known.length === 0 && (
        <p className={styles.quiet}>
          {canCreate
            ? `There is no connection to ${target.title} yet. It keeps the credentials; agents use it and never see them.`
            : `There is no connection to ${target.title}, and you may not create one.`}
        </p>
      )}
      {known.length > 0 && (
        <div className={styles.filters}>
          <Choice
            label="Connection"
            value={creates ? '' : (chosen?.id ?? '')}
            options={[
              ...(creates ? [{ value: '', text: 'A new one' }] : []),
              ...known.map((one) => ({ value: one.id, text: toText(one) })),
            ]}
            onChange={(id) => {
              setNew(false);
              setChosenId(id);
            }}
          />
          {canCreate && !creates && <Button onPress={() => setNew(true)}>New connection …</Button>}
        </div>
      )}
      {creates && (
        <div className={styles.creation}>
          <NewConnectionForm
            key={target.provider}
            target={target}
            onCreated={({ id }) => {
              setChosenId(id);
              setNew(false);
            }}
          />
        </div>
      )}
      {!creates && chosen && (
        <ConnectionOffers
          key={chosen.id}
          connection={chosen}
          operations={operations}
          present={present}
          basket={basket}
        />
      )}
    </>
  );
}

const toText = ({ name, status }: Connection) =>
  status === 'active' ? name : `${name} (${toWords(status)})`;

/** The connections to a provider that belong to no connector; they are read again when a consent has come to its end. */
function useConnectionsOf(provider: string) {
  const queries = useQueryClient();
  useEffect(() => onConsent(() => void queries.invalidateQueries({ queryKey: ['connections'] })), [queries]);
  const connectors = useQuery(connectorsQuery);
  const connections = useQuery(connectionsQuery);
  const ofConnectors = new Set(connectors.data?.map(({ connectionId }) => connectionId));
  return {
    error: connections.error ?? connectors.error,
    data:
      connectors.data &&
      connections.data?.filter((one) => one.provider === provider && !ofConnectors.has(one.id)),
  };
}
