import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Connection, GetProviderResponse } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { askForConsent, closeConsentWindow, openConsentWindow } from '../../live/connect/consent.ts';
import { connectionQuery, connectionToolsQuery } from '../../live/connect/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons } from '../../ui/section.tsx';
import styles from './add-tools.module.css';
import { OfferChooser } from './offer-chooser.tsx';
import { toConnectionOffers } from './offers.ts';
import { connectionsQuery } from './queries.ts';
import type { SourceProps } from './source.ts';

/** How often a connection that waits for consent is read, in milliseconds. */
const consentPollMs = 2_000;

interface ConnectionOffersProps extends Pick<SourceProps, 'present' | 'basket'> {
  connection: Connection;
  operations?: GetProviderResponse['operations'] | undefined;
  /** The names of the tools that are offered. @default all */
  only?: readonly string[];
}

/** The tools behind a connection; for one that waits for consent, the way to it. */
export function ConnectionOffers({
  connection: given,
  operations,
  only,
  present,
  basket,
}: ConnectionOffersProps) {
  const connection = useFresh(given);
  const isActive = connection.status === 'active';
  const tools = useQuery({ ...connectionToolsQuery(connection.id), enabled: isActive });
  if (!isActive) return <Inactive connection={connection} />;
  const offered = tools.data?.tools.filter(({ name }) => only === undefined || only.includes(name));
  return (
    <>
      <Problem error={tools.error} />
      {tools.isPending && (
        <p role="status" className={styles.none}>
          Its server is asked for its tools …
        </p>
      )}
      {offered && (
        <OfferChooser
          label={`Tools of ${connection.name}`}
          offers={toConnectionOffers({ connection, tools: offered, operations, present })}
          basket={basket}
          none="It offers no tools."
        />
      )}
    </>
  );
}

/** The connection as it is now, while it waits for consent. */
function useFresh(given: Connection): Connection {
  const queries = useQueryClient();
  const waits = given.status === 'expired';
  const { data } = useQuery({
    ...connectionQuery(given.id),
    enabled: waits,
    refetchInterval: consentPollMs,
    refetchIntervalInBackground: true,
  });
  const hasConsent = waits && data?.status === 'active';
  useEffect(() => {
    if (!hasConsent) return;
    closeConsentWindow();
    void queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  }, [hasConsent, queries]);
  return waits ? (data ?? given) : given;
}

function Inactive({ connection: { id, auth, status, statusReason } }: { connection: Connection }) {
  const canWrite = useMay()('connections:write');
  const ask = useMutation({ mutationFn: (window: Window | null) => askForConsent(id, window) });
  const takesConsent = auth['type'] === 'oauth2_authorization_code' && status !== 'revoked' && canWrite;
  return (
    <>
      <p role="status" className={styles.none}>
        {takesConsent
          ? 'It waits for the consent of a person at its provider. The list appears here when it is given.'
          : `It cannot be used: ${statusReason ?? status}`}
      </p>
      <Problem error={ask.error} />
      {takesConsent && (
        <Buttons>
          <Button kind="main" isPending={ask.isPending} onPress={() => ask.mutate(openConsentWindow())}>
            Ask for consent …
          </Button>
        </Buttons>
      )}
    </>
  );
}
