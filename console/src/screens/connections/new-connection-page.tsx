import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSearchOf } from '../../app/address.ts';
import { NewConnectionForm, type CreatedConnection } from '../../live/connect/new-connection-form.tsx';
import { httpApi, mcpServer, modelVendors, toTarget, type Target } from '../../live/connect/targets.ts';
import { Choice } from '../../ui/choice.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section, Sections } from '../../ui/section.tsx';
import styles from './connections.module.css';
import { providerQuery, providersQuery, startTest } from './queries.ts';
import { parseNewSearch, targetKinds, type NewSearch } from './search.ts';

const kindNames = {
  catalogue: 'A provider of the catalogue',
  mcp: 'An MCP server',
  model: 'A vendor of models',
  http: 'Another API over HTTP',
};

/** Creates a connection: first what it leads to, then what that needs. */
export function Page() {
  const search = useSearchOf(parseNewSearch);
  const { target, error } = useTarget(search);
  const open = useOpenCreated();
  return (
    <Frame title="New connection">
      <Sections>
        <div className={styles.columns}>
          <div className={styles.narrow}>
            <TargetFields search={search} />
            <Problem error={error} />
            {target && <NewConnectionForm key={target.provider} target={target} onCreated={open} />}
          </div>
          {target && target.setup !== '' && (
            <div className={styles.aside}>
              <Section title={`How to set up ${target.title}`}>
                <Markdown text={target.setup} />
              </Section>
            </div>
          )}
        </div>
      </Sections>
    </Frame>
  );
}

/** Shows a connection that was created, and tests it where no consent has to be waited for. */
function useOpenCreated(): (created: CreatedConnection) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return ({ id, needsConsent }) => {
    if (!needsConsent) startTest(queries, id);
    void navigate({ to: '/connections/$connectionId', params: { connectionId: id } });
  };
}

function useTarget({ kind, provider }: NewSearch): { target: Target | undefined; error: unknown } {
  const found = useQuery({
    ...providerQuery(provider ?? ''),
    enabled: kind === 'catalogue' && provider !== undefined,
  });
  if (kind === 'mcp') return { target: mcpServer, error: null };
  if (kind === 'http') return { target: httpApi, error: null };
  if (kind === 'model')
    return { target: modelVendors.find((vendor) => vendor.provider === provider), error: null };
  return { target: found.data && toTarget(found.data), error: found.error };
}

/** What the connection leads to. */
function TargetFields({ search: { kind, provider } }: { search: NewSearch }) {
  const navigate = useNavigate();
  const { data } = useQuery({ ...providersQuery(), enabled: kind === 'catalogue' });
  const show = (search: NewSearch) => void navigate({ to: '/connections/new', search, replace: true });
  const providers =
    kind === 'model'
      ? modelVendors.map((vendor) => ({ value: vendor.provider, text: vendor.title }))
      : (data?.providers ?? []).map(({ name, title }) => ({ value: name, text: title }));
  return (
    <>
      <Choice
        label="Leads to"
        value={kind}
        options={targetKinds.map((value) => ({ value, text: kindNames[value] }))}
        onChange={(next) => show({ kind: next })}
      />
      {(kind === 'catalogue' || kind === 'model') && (
        <Choice
          label={kind === 'model' ? 'Vendor' : 'Provider'}
          value={provider ?? ''}
          options={[...(provider === undefined ? [{ value: '', text: 'Choose one' }] : []), ...providers]}
          onChange={(chosen) => show({ kind, ...(chosen === '' ? {} : { provider: chosen }) })}
        />
      )}
    </>
  );
}
