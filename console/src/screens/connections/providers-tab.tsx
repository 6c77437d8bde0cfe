import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ListProvidersResponse } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { toAuthName } from '../../live/connect/auth-offers.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './connections.module.css';
import { providersQuery } from './queries.ts';
import type { Category, ConnectionsSearch } from './search.ts';

type Provider = ListProvidersResponse['providers'][number];

/** The text and the category that choose among the providers. */
export function ProviderFilters({ search }: { search: ConnectionsSearch }) {
  const navigate = useNavigate();
  const { data } = useQuery(providersQuery());
  const set = (change: { search?: string; category?: Category | '' }) => {
    const { search: text = '', category = '' } = { ...search, ...change };
    void navigate({
      to: '/connections',
      search: {
        tab: 'providers',
        ...(text === '' ? {} : { search: text }),
        ...(category === '' ? {} : { category }),
      },
      replace: true,
    });
  };
  return (
    <>
      <div className={styles.search}>
        <Field
          label="Search"
          type="search"
          value={search.search ?? ''}
          onChange={(text) => set({ search: text })}
        />
      </div>
      <Choice
        label="Category"
        value={search.category ?? ''}
        options={[
          { value: '', text: 'Any' },
          ...(data?.categories ?? []).map((value) => ({ value, text: value })),
        ]}
        onChange={(category) => set({ category })}
      />
    </>
  );
}

/** The catalogue of providers, and the imported APIs. */
export function ProvidersTab({ search }: { search: ConnectionsSearch }) {
  const providers = useQuery({ ...providersQuery(search), placeholderData: (before) => before });
  const navigate = useNavigate();
  const canWrite = useMay()('connections:write');
  return (
    <>
      <Problem error={providers.error} />
      <List
        label="Providers"
        items={providers.data?.providers ?? []}
        toKey={({ name }) => name}
        columns={canWrite ? [...columns, connectColumn] : columns}
        isLoading={providers.isFetching}
        empty={
          <Empty
            title="No provider fits"
            text="An API that is not in the list can be imported from its OpenAPI document."
            action={
              <Button
                onPress={() =>
                  void navigate({ to: '/connections', search: { tab: 'providers' }, replace: true })
                }
              >
                Show all
              </Button>
            }
          />
        }
      />
    </>
  );
}

const columns: readonly Column<Provider>[] = [
  {
    name: 'Name',
    width: 'minmax(0, 1fr)',
    cell: ({ name, title }) => (
      <Link to="/connections/providers/$name" params={{ name }} className={styles.name}>
        {title}
      </Link>
    ),
  },
  {
    name: 'Description',
    width: 'minmax(0, 2fr)',
    isWide: true,
    cell: ({ description }) => <span className={styles.quiet}>{description}</span>,
  },
  { name: 'Category', width: '120px', isWide: true, cell: ({ category }) => category },
  {
    name: 'Credentials',
    width: 'minmax(0, 1fr)',
    isWide: true,
    cell: ({ authTypes }) => authTypes.map(toAuthName).join(', '),
  },
  {
    name: 'Operations',
    width: '76px',
    isNumber: true,
    isWide: true,
    cell: ({ operationCount }) => operationCount,
  },
  {
    name: 'From',
    width: '100px',
    cell: ({ source, version }) => (source === 'imported' ? `imported, v${version ?? 1}` : 'catalogue'),
  },
];

const connectColumn: Column<Provider> = {
  name: 'Actions',
  hidesName: true,
  width: '76px',
  cell: ({ name, title }) => (
    <Link
      to="/connections/new"
      search={{ kind: 'catalogue', provider: name }}
      aria-label={`Connect ${title}`}
      className={styles.link}
    >
      Connect
    </Link>
  ),
};
