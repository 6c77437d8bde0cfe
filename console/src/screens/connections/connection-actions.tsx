import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { Connection } from '../../api/types.ts';
import { findPlainTarget, httpApi, toTarget, type Target } from '../../live/connect/targets.ts';
import { AgentsUsing } from '../../live/agents-using.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ChangeConnection } from './change-connection.tsx';
import { NewCredentials } from './new-credentials.tsx';
import styles from './connections.module.css';
import { connectorOfQuery, providerQuery, showChanged } from './queries.ts';

/** What can be done with a connection. */
export function ConnectionActions({ connection }: { connection: Connection }) {
  const [opened, setOpened] = useState<'change' | 'credentials' | null>(null);
  const target = useTargetOf(connection);
  const { data: connector } = useQuery(connectorOfQuery(connection.id));
  const { revoke, remove } = useEnds(connection);
  const close = () => setOpened(null);
  return (
    <>
      <Button onPress={() => setOpened('change')}>Change …</Button>
      <Button onPress={() => setOpened('credentials')}>New credentials …</Button>
      {connection.status !== 'revoked' && connection.auth['type'] !== 'none' && (
        <ConfirmButton
          title={`Revoke ${connection.name}?`}
          text={<Consequences connection={connection} does="Its credentials are deleted here." />}
          isPending={revoke.isPending}
          onConfirm={() => revoke.mutate()}
        >
          Revoke
        </ConfirmButton>
      )}
      {connector === null && (
        <ConfirmButton
          title={`Delete ${connection.name}?`}
          text={<Consequences connection={connection} does="Its credentials are deleted with it." />}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Delete
        </ConfirmButton>
      )}
      {connector && (
        <Link to="/connections" search={{ tab: 'connectors' }} className={styles.link}>
          Belongs to the connector {connector.name}
        </Link>
      )}
      <Problem error={revoke.error ?? remove.error} />
      {target && opened === 'change' && (
        <ChangeConnection connection={connection} target={target} onClose={close} />
      )}
      {target && opened === 'credentials' && (
        <NewCredentials connection={connection} target={target} onClose={close} />
      )}
    </>
  );
}

/** What a connection leads to; one to a provider that is there no more is treated as any API. */
function useTargetOf({ provider, endpoint }: Connection): Target | undefined {
  const plain = findPlainTarget(provider);
  const found = useQuery({ ...providerQuery(provider), enabled: plain === undefined });
  if (plain) return plain;
  if (found.isError) return { ...httpApi, provider, title: provider };
  if (!found.data) return undefined;
  return { ...toTarget(found.data), ...(endpoint === null ? {} : { endpoint: 'required' }) };
}

function useEnds({ id }: Connection) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const revoke = useMutation({
    mutationFn: () => holdfast.connections.update(id, { status: 'revoked' }),
    onSuccess: (revoked) => showChanged(queries, revoked),
  });
  const remove = useMutation({
    mutationFn: () => holdfast.connections.delete(id),
    onSuccess: async () => {
      await navigate({ to: '/connections' });
      await forgetDeleted(id, ['connections']);
    },
  });
  return { revoke, remove };
}

/** What follows when the credentials of a connection are gone. */
function Consequences({ connection, does }: { connection: Connection; does: string }) {
  return (
    <>
      {does} Calls of tools that use it are refused from then on.
      <AgentsUsing id={connection.id} />
    </>
  );
}
