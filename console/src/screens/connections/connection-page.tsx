import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Connection, JsonValue } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { useKeyNames } from '../../live/names.ts';
import { toAuthName } from '../../live/connect/auth-offers.ts';
import { announceConsent, closeConsentWindow, onConsent } from '../../live/connect/consent.ts';
import { findPlainTarget } from '../../live/connect/targets.ts';
import { connectionQuery } from '../../live/connect/queries.ts';
import { Facts } from '../../ui/facts.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section, Sections } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { ConnectionActions } from './connection-actions.tsx';
import { ConnectionTools } from './connection-tools.tsx';
import { ConnectionStatus } from './connections-tab.tsx';
import { ConsentSection } from './consent-section.tsx';
import { providersQuery } from './queries.ts';
import { parseConnectionSearch } from './search.ts';
import { TestSection } from './test-section.tsx';

/** How often a connection that waits for consent is read, in milliseconds. */
const consentPollMs = 2_000;

/** One connection: its state, its credentials, a test of it, and its tools. */
export function Page() {
  const connectionId = useParameter('connectionId');
  useReturnFromConsent(connectionId);
  const may = useMay();
  const { data: connection, error } = useQuery({
    ...connectionQuery(connectionId),
    refetchInterval: ({ state }) => (state.data && waitsForConsent(state.data) ? consentPollMs : false),
    refetchIntervalInBackground: true,
  });
  const isActive = connection?.status === 'active';
  useEffect(() => {
    if (isActive) closeConsentWindow();
  }, [isActive]);
  return (
    <Frame
      title={connection?.name ?? 'Connection'}
      meta={connection && <Meta connection={connection} />}
      actions={
        connection && may('connections:write') ? <ConnectionActions connection={connection} /> : undefined
      }
    >
      <Problem error={error} />
      {connection && (
        <Sections>
          <ConsentSection connection={connection} waits={waitsForConsent(connection)} />
          <Credentials connection={connection} />
          {isActive && may('connections:write') && <TestSection connectionId={connection.id} />}
          {isActive && <ConnectionTools connection={connection} />}
        </Sections>
      )}
    </Frame>
  );
}

const waitsForConsent = ({ status, auth }: Connection) =>
  status === 'expired' && auth['type'] === 'oauth2_authorization_code';

/** Closes the window of a consent that has come back, and reads the connection again when another window has. */
function useReturnFromConsent(connectionId: string): void {
  const { consent } = useSearchOf(parseConnectionSearch);
  const queries = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    if (consent === undefined) return;
    announceConsent();
    if (consent === 'window') window.close();
    // A browser that does not close the window shows the connection in it.
    void navigate({ to: '.', search: {}, replace: true });
  }, [consent, navigate]);
  useEffect(
    () => onConsent(() => void queries.invalidateQueries({ queryKey: ['connections'] })),
    [queries, connectionId],
  );
}

function Meta({ connection }: { connection: Connection }) {
  const { provider, endpoint, status, ownerId, createdAt, lastUsedAt } = connection;
  const { data } = useQuery(providersQuery());
  const keys = useKeyNames();
  const known = data?.providers.find(({ name }) => name === provider)?.title;
  const owner = ownerId === null ? undefined : keys?.get(ownerId);
  return (
    <>
      <ConnectionStatus status={status} />
      <span>{known ?? findPlainTarget(provider)?.title ?? provider}</span>
      {endpoint !== null && <span>{endpoint}</span>}
      <span>
        created <Time at={createdAt} />
        {owner !== undefined && ` by ${owner}`}
      </span>
      <span>
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            used <Time at={lastUsedAt} />
          </>
        )}
      </span>
    </>
  );
}

/** What is known of the credentials: secrets are masked by the API. */
function Credentials({ connection: { auth, variables, rateLimit, expiresAt } }: { connection: Connection }) {
  const { type, authorized, ...fields } = auth;
  const shown = { ...fields, ...(authorized as object | undefined), ...variables };
  return (
    <Section title="Credentials">
      <Facts
        facts={[
          ['Type', toAuthName(type)],
          ...Object.entries(shown).map(([name, value]) => [toLabel(name), toValue(value)] as const),
          ['Expires', expiresAt && <Time key="expires" at={expiresAt} />],
          ['Limit', rateLimit && `${rateLimit.tokensPerMinute} requests a minute`],
        ]}
      />
    </Section>
  );
}

/** `clientId` is "Client id". */
function toLabel(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toValue(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(toValue).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${toValue(one)}`)
      .join(', ');
  return value === null ? 'none' : String(value);
}
