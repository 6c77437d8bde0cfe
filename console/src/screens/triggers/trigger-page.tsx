import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { Trigger } from '../../api/types.ts';
import { useParameter, useSearchOf } from '../../app/address.ts';
import { Choice } from '../../ui/choice.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Sections } from '../../ui/section.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { toWords } from '../../ui/tone.ts';
import { Events } from './events.tsx';
import { triggerQuery, useSenderNames } from './queries.ts';
import { useMayTrigger } from './rights.ts';
import { eventStatuses, parseTriggerSearch, triggerViews, type TriggerSearch } from './search.ts';
import { TriggerActions } from './trigger-actions.tsx';
import { toChange, toDraft } from './trigger-draft.ts';
import { TriggerForm } from './trigger-form.tsx';
import styles from './triggers.module.css';
import { Started, TriggerStatus } from './triggers-page.tsx';

const viewNames = { events: 'Events', settings: 'Settings' };

/** One trigger: its address, the events that have come, and its settings. */
export function Page() {
  const search = useSearchOf(parseTriggerSearch);
  const { data: trigger, error } = useQuery(triggerQuery(useParameter('triggerId')));
  const canChange = useMayTrigger()(trigger?.action.kind ?? 'turn');
  const view = canChange ? search.view : 'events';
  return (
    <Frame
      title={trigger?.name ?? 'Trigger'}
      fills={view === 'events'}
      meta={trigger && <Meta trigger={trigger} />}
      actions={trigger && canChange ? <TriggerActions trigger={trigger} /> : undefined}
      bar={<Bar search={search} view={view} hasSettings={canChange} />}
    >
      <Problem error={error} />
      {trigger && view === 'events' && (
        <Events trigger={trigger} status={search.status} chosen={search.event} canChange={canChange} />
      )}
      {trigger && view === 'settings' && <Settings key={trigger.updatedAt} trigger={trigger} />}
    </Frame>
  );
}

interface BarProps {
  search: TriggerSearch;
  view: TriggerSearch['view'];
  hasSettings: boolean;
}

function Bar({ search, view, hasSettings }: BarProps) {
  const navigate = useNavigate();
  const statuses = eventStatuses.map((value) => ({ value, text: toWords(value) }));
  return (
    <>
      {hasSettings && (
        <Tabs
          label="Views"
          name="view"
          value={view}
          tabs={triggerViews.map((value) => ({ value, text: viewNames[value] }))}
        />
      )}
      {view === 'events' && (
        <Choice
          label="State of events"
          hidesLabel
          value={search.status ?? ''}
          options={[{ value: '', text: 'All events' }, ...statuses]}
          onChange={(status) =>
            void navigate({ to: '.', search: { view, ...(status === '' ? {} : { status }) }, replace: true })
          }
        />
      )}
    </>
  );
}

function Meta({ trigger }: { trigger: Trigger }) {
  const senders = useSenderNames();
  const { provider, events, url, hasSecret, oldSecretsUntil, stoppedAt, stoppedReason } = trigger;
  return (
    <>
      <TriggerStatus trigger={trigger} />
      <span>
        {senders?.get(provider) ?? provider}: {events.join(', ')}
      </span>
      <span>
        starts <Started trigger={trigger} />
      </span>
      <span className={styles.address}>
        <code>{url}</code>
        <Copy text={url}>Copy the address</Copy>
      </span>
      {!hasSecret && <span>Every event is refused until the secret that the sender shows is set.</span>}
      {oldSecretsUntil !== null && (
        <span>
          the old secret counts until <Time at={oldSecretsUntil} />
        </span>
      )}
      {stoppedAt !== null && (
        <span className={styles.stopped}>
          Stopped <Time at={stoppedAt} />: {stoppedReason} It starts again after any change by somebody with
          the rights.
        </span>
      )}
    </>
  );
}

function Settings({ trigger }: { trigger: Trigger }) {
  const [draft, setDraft] = useState(() => toDraft(trigger));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const change = toChange(draft);
  const save = useMutation({
    mutationFn: (request: NonNullable<typeof change>) => holdfast.triggers.update(trigger.id, request),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['triggers'] });
      await navigate({ to: '.', search: { view: 'events' } });
    },
  });
  return (
    <Sections>
      <TriggerForm
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
