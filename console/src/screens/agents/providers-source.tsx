import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListProvidersResponse } from '../../api/types.ts';
import { toTarget } from '../../live/connect/targets.ts';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './add-tools.module.css';
import { ConnectionStep } from './connection-step.tsx';
import { providerQuery, providersQuery, connectionsQuery, type Category } from './queries.ts';
import type { SourceProps } from './source.ts';
import { StepHead } from './step-head.tsx';

type Provider = ListProvidersResponse['providers'][number];

/** The providers of the catalogue and imported APIs: first the provider, then a connection to it, then its operations. */
export function ProvidersSource({ present, basket }: SourceProps) {
  const [name, setName] = useState<string | null>(null);
  // Kept here, so that the way back leads to the same list.
  const [search, setSearch] = useState('');
  const [category, setCategory] = useState<Category | ''>('');
  const provider = useQuery({ ...providerQuery(name ?? ''), enabled: name !== null });
  if (name === null)
    return (
      <ProviderList
        search={search}
        onSearch={setSearch}
        category={category}
        onCategory={setCategory}
        onChoose={setName}
      />
    );
  return (
    <>
      <StepHead title={provider.data?.title ?? name} back="Other provider" onBack={() => setName(null)} />
      <Problem error={provider.error} />
      {provider.data && (
        <ConnectionStep
          target={toTarget(provider.data)}
          operations={provider.data.operations}
          present={present}
          basket={basket}
        />
      )}
    </>
  );
}

interface ProviderListProps {
  search: string;
  onSearch: (search: string) => void;
  category: Category | '';
  onCategory: (category: Category | '') => void;
  onChoose: (name: string) => void;
}

function ProviderList({ search, onSearch, category, onCategory, onChoose }: ProviderListProps) {
  const { data, error } = useQuery({
    ...providersQuery({ search: search.trim(), category }),
    placeholderData: (before) => before,
  });
  const { data: connections } = useQuery(connectionsQuery);
  const connected = new Set(connections?.map(({ provider }) => provider));
  const categories = (data?.categories ?? []).map((value) => ({ value, text: value }));
  return (
    <>
      <div className={styles.filters}>
        <Field label="Search providers" type="search" value={search} onChange={onSearch} />
        <Choice
          label="Category"
          value={category}
          options={[{ value: '', text: 'Any' }, ...categories]}
          onChange={onCategory}
        />
      </div>
      <Problem error={error} />
      {data?.providers.length === 0 && <p className={styles.none}>No provider fits.</p>}
      <ul className={styles.providers} aria-label="Providers">
        {data?.providers.map((provider) => (
          <ProviderRow
            key={provider.name}
            provider={provider}
            isConnected={connected.has(provider.name)}
            onChoose={onChoose}
          />
        ))}
      </ul>
    </>
  );
}

interface ProviderRowProps {
  provider: Provider;
  isConnected: boolean;
  onChoose: (name: string) => void;
}

function ProviderRow({ provider, isConnected, onChoose }: ProviderRowProps) {
  const { name, title, description, category, operationCount } = provider;
  return (
    <li>
      <button type="button" className={styles.provider} onClick={() => onChoose(name)}>
        <span>{title}</span>
        <span className={styles.quiet}>{description}</span>
        <span className={styles.quiet}>{category}</span>
        <span className={styles.quiet}>
          {operationCount === 1 ? '1 operation' : `${operationCount} operations`}
          {isConnected && ', connected'}
        </span>
      </button>
    </li>
  );
}
