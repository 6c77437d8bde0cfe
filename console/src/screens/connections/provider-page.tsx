import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { GetProviderResponse } from '../../api/types.ts';
import { useParameter } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { toAuthName } from '../../live/connect/auth-offers.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/format.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section, Sections } from '../../ui/section.tsx';
import styles from './connections.module.css';
import { connectionsOfQuery, providerQuery } from './queries.ts';
import { ToolList } from './tool-list.tsx';

/** One provider: how to connect to it, the connections to it, and its operations. */
export function Page() {
  const name = useParameter('name');
  const { data: provider, error } = useQuery(providerQuery(name));
  const canWrite = useMay()('connections:write');
  return (
    <Frame
      title={provider?.title ?? 'Provider'}
      meta={
        provider && (
          <>
            <span>{provider.category}</span>
            <span>
              {provider.source === 'imported' ? `imported, version ${provider.version ?? 1}` : 'catalogue'}
            </span>
            <span>{provider.baseUrl}</span>
          </>
        )
      }
      actions={provider && canWrite ? <Actions provider={provider} /> : undefined}
    >
      <Problem error={error} />
      {provider && <Details provider={provider} />}
    </Frame>
  );
}

function Details({ provider }: { provider: GetProviderResponse }) {
  const { name, description, auth, setup, operations, unverified } = provider;
  const { data: connections } = useQuery(connectionsOfQuery(name));
  return (
    <Sections>
      <Section title="About">
        <p>{description}</p>
        <Facts
          facts={[
            ['Credentials', auth.types.map(({ type }) => toAuthName(type)).join(', ')],
            ['Scopes', auth.scopes.join(', ')],
            ['Not verified', unverified && `It follows the documentation of ${unverified}.`],
          ]}
        />
      </Section>
      <Section title="Connections">
        {connections?.items.length === 0 && <p className={styles.quiet}>None yet.</p>}
        <ul>
          {connections?.items.map((connection) => (
            <li key={connection.id}>
              <Link to="/connections/$connectionId" params={{ connectionId: connection.id }}>
                {connection.name}
              </Link>
            </li>
          ))}
        </ul>
      </Section>
      {setup !== '' && (
        <Section title="How to set it up">
          <Markdown text={setup} />
        </Section>
      )}
      <Section title={`Operations (${formatCount(operations.length)})`}>
        <ToolList label="Operations" tools={operations} empty={<Empty title="It has no operations" />} />
      </Section>
    </Sections>
  );
}

function Actions({ provider: { name, title, source } }: { provider: GetProviderResponse }) {
  const navigate = useNavigate();
  const { data: connections } = useQuery(connectionsOfQuery(name));
  const remove = useMutation({
    mutationFn: () => holdfast.providers.delete(name),
    onSuccess: async () => {
      await navigate({ to: '/connections', search: { tab: 'providers' } });
      await forgetDeleted(name, ['providers']);
    },
  });
  const isImported = source === 'imported';
  return (
    <>
      <Button
        kind="main"
        onPress={() =>
          void navigate({ to: '/connections/new', search: { kind: 'catalogue', provider: name } })
        }
      >
        Connect …
      </Button>
      {isImported && (
        <Button onPress={() => void navigate({ to: '/connections/import', search: { name } })}>
          Import again …
        </Button>
      )}
      {isImported && connections?.items.length === 0 && (
        <ConfirmButton
          title={`Delete ${title}?`}
          text="Its operations are deleted. Tools of agents that call them fail from then on."
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Delete
        </ConfirmButton>
      )}
      {isImported && connections !== undefined && connections.items.length > 0 && (
        <span className={styles.quiet}>It can be deleted after its connections.</span>
      )}
      <Problem error={remove.error} />
    </>
  );
}
