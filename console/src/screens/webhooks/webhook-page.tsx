import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { Webhook } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Sections } from '../../ui/section.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { toWords } from '../../ui/tone.ts';
import { Deliveries } from './deliveries.tsx';
import { webhookQuery } from './queries.ts';
import { deliveryStatuses, parseWebhookSearch, webhookViews, type WebhookSearch } from './search.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { toChange, toDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';
import styles from './webhooks.module.css';
import { toAddress, WebhookStatus } from './webhooks-page.tsx';

const viewNames = { deliveries: 'Deliveries', settings: 'Settings' };

/** One webhook: what was sent to it, and its settings. */
export function Page() {
  const search = useSearchOf(parseWebhookSearch);
  const may = useMay();
  const { data: webhook, error } = useQuery(webhookQuery(useParameter('webhookId')));
  const canWrite = may('webhooks:write');
  // A channel of Slack decides about calls, so that its settings need that right too.
  const canChange = canWrite && (webhook?.slack == null || may('approvals:decide'));
  const view = canChange ? search.view : 'deliveries';
  return (
    <Frame
      title={webhook ? toAddress(webhook) : 'Webhook'}
      fills={view === 'deliveries'}
      meta={webhook && <Meta webhook={webhook} />}
      actions={webhook && canWrite ? <WebhookActions webhook={webhook} canChange={canChange} /> : undefined}
      bar={<Bar search={search} view={view} hasSettings={canChange} />}
    >
      <Problem error={error} />
      {webhook && view === 'deliveries' && (
        <Deliveries
          webhook={webhook}
          status={search.status}
          chosen={search.delivery}
          canResend={canWrite && webhook.enabled}
        />
      )}
      {webhook && view === 'settings' && <Settings key={webhook.updatedAt} webhook={webhook} />}
    </Frame>
  );
}

interface BarProps {
  search: WebhookSearch;
  view: WebhookSearch['view'];
  hasSettings: boolean;
}

function Bar({ search, view, hasSettings }: BarProps) {
  const navigate = useNavigate();
  const statuses = deliveryStatuses.map((value) => ({ value, text: toWords(value) }));
  return (
    <>
      {hasSettings && (
        <Tabs
          label="Views"
          name="view"
          value={view}
          tabs={webhookViews.map((value) => ({ value, text: viewNames[value] }))}
        />
      )}
      {view === 'deliveries' && (
        <Choice
          label="State of deliveries"
          hidesLabel
          value={search.status ?? ''}
          options={[{ value: '', text: 'All deliveries' }, ...statuses]}
          onChange={(status) =>
            void navigate({ to: '.', search: { view, ...(status === '' ? {} : { status }) }, replace: true })
          }
        />
      )}
    </>
  );
}

function Meta({ webhook }: { webhook: Webhook }) {
  const { events, createdAt, oldSecretsUntil, enabled, disabledAt, disabledReason } = webhook;
  return (
    <>
      <WebhookStatus webhook={webhook} />
      <span>{events.join(', ')}</span>
      <span>
        created <Time at={createdAt} />
      </span>
      {oldSecretsUntil !== null && (
        <span>
          the old secret signs too until <Time at={oldSecretsUntil} />
        </span>
      )}
      {!enabled && disabledAt !== null && (
        <span className={styles.disabled}>
          Disabled <Time at={disabledAt} />
          {disabledReason === null ? '.' : `: ${disabledReason}`}
        </span>
      )}
    </>
  );
}

function Settings({ webhook }: { webhook: Webhook }) {
  const [draft, setDraft] = useState(() => toDraft(webhook));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const change = toChange(draft);
  const save = useMutation({
    mutationFn: (request: NonNullable<typeof change>) => holdfast.webhooks.update(webhook.id, request),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
      await navigate({ to: '.', search: { view: 'deliveries' } });
    },
  });
  return (
    <Sections>
      <WebhookForm
        draft={draft}
        onChange={(next) => setDraft({ ...draft, ...next })}
        isNew={false}
        onSubmit={change && (() => save.mutate(change))}
        isPending={save.isPending}
        error={save.error}
      />
    </Sections>
  );
}
