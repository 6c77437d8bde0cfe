import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { hasCode, holdfast } from '../../api/client.ts';
import type { ImportProviderData, ImportProviderResponse } from '../../api/types.ts';
import { toAuthName } from '../../live/connect/auth-offers.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Section } from '../../ui/section.tsx';
import styles from './connections.module.css';
import { OperationChooser, type Effect } from './operation-chooser.tsx';

/** The document of an import and what the person has said about it. */
export type ImportRequest = ImportProviderData['body'];

interface ImportPreviewProps {
  request: ImportRequest;
  report: ImportProviderResponse;
}

/** What a document has: its operations are chosen here, and imported. */
export function ImportPreview({ request, report }: ImportPreviewProps) {
  const { provider, operations, warnings, warningCount, changes } = report;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(operations.map((operation) => operation.request)),
  );
  const [effects, setEffects] = useState<Readonly<Record<string, Effect>>>({});
  const store = useImport();
  if (!provider) return null;
  const start = (force: boolean) =>
    store.mutate({
      ...request,
      // All of them at once is also what the next version of the document has.
      ...(chosen.size === operations.length ? {} : { operations: [...chosen] }),
      ...(Object.keys(effects).length === 0 ? {} : { effects }),
      ...(force ? { force } : {}),
    });
  return (
    <>
      <About provider={provider} />
      {warningCount > 0 && (
        <Section title={`Left out or changed (${formatCount(warningCount)})`}>
          <Warnings warnings={warnings} />
        </Section>
      )}
      {changes && <Changes changes={changes} />}
      <Section title={`Operations (${formatCount(operations.length)})`}>
        <OperationChooser
          operations={operations}
          chosen={chosen}
          onChosen={setChosen}
          effects={effects}
          onEffect={(name, effect) => setEffects({ ...effects, [name]: effect })}
        />
        <Problem error={store.error} />
        <Buttons>
          <Button
            kind="main"
            isPending={store.isPending}
            isDisabled={chosen.size === 0}
            onPress={() => start(false)}
          >
            {`Import ${formatCount(chosen.size)} ${chosen.size === 1 ? 'operation' : 'operations'}`}
          </Button>
          {hasCode(store.error, 'CONFLICT') && (
            <Button kind="bad" onPress={() => start(true)}>
              Import it all the same
            </Button>
          )}
        </Buttons>
      </Section>
    </>
  );
}

function useImport() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (request: ImportRequest) => holdfast.providers.import(request),
    onSuccess: async ({ provider }) => {
      await queries.invalidateQueries({ queryKey: ['providers'] });
      if (provider) await navigate({ to: '/connections/providers/$name', params: { name: provider.name } });
    },
  });
}

function About({ provider }: { provider: NonNullable<ImportProviderResponse['provider']> }) {
  const { title, description, name, baseUrl, authTypes } = provider;
  return (
    <Section title={title}>
      <p>{description}</p>
      <Facts
        facts={[
          ['Name', <code key="name">{name}</code>],
          ['Address', baseUrl],
          ['Credentials', authTypes.map(toAuthName).join(', ') || 'None'],
        ]}
      />
    </Section>
  );
}

/** The parts of a document that were left out or changed. */
export function Warnings({ warnings }: { warnings: ImportProviderResponse['warnings'] }) {
  return (
    <ul className={styles.warnings}>
      {warnings.map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`}>
          {pointer !== '' && <code>{pointer}</code>} {message}
        </li>
      ))}
    </ul>
  );
}

function Changes({ changes }: { changes: NonNullable<ImportProviderResponse['changes']> }) {
  const { added, removed, changed, usedBy } = changes;
  const isSame = added.length + removed.length + changed.length === 0;
  return (
    <Section title="Against the version before">
      {isSame && <p className={styles.quiet}>Nothing differs.</p>}
      <Facts
        facts={[
          ['Added', added.join(', ')],
          ['Removed', removed.join(', ')],
          ['Changed', changed.join(', ')],
        ]}
      />
      {usedBy.length > 0 && (
        <ul className={styles.warnings}>
          {usedBy.map(({ agentId, agent, tool, operation }) => (
            <li key={`${agentId} ${tool}`}>
              The agent {agent} calls {operation} by its tool <code>{tool}</code>.
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
