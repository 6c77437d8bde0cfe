import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { CreateWebhookResponse } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { Sections } from '../../ui/section.tsx';
import { emptyDraft, toBody } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';

/** Creates a webhook, and shows its secret once. */
export function Page() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [made, setMade] = useState<string | null>(null);
  const body = toBody(draft);
  const show = ({ webhook }: CreateWebhookResponse) =>
    void navigate({
      ...{ to: '/webhooks/$webhookId', params: { webhookId: webhook.id } },
      search: { view: 'deliveries' },
    });
  const create = useMutation({
    mutationFn: (request: NonNullable<typeof body>) => holdfast.webhooks.create(request),
    onSuccess: async (created) => {
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
      if (created.secret === null) show(created);
      else setMade(created.secret);
    },
  });
  const canWrite = useMay()('webhooks:write');
  if (!canWrite) return <Empty title="You may not create webhooks" />;
  return (
    <Frame title="New webhook">
      <Sections>
        <WebhookForm
          draft={draft}
          onChange={(change) => setDraft({ ...draft, ...change })}
          isNew
          onSubmit={body && (() => create.mutate(body))}
          isPending={create.isPending}
          error={create.error}
        />
      </Sections>
      <SecretOnce
        secret={made}
        onClose={() => {
          setMade(null);
          if (create.data) show(create.data);
        }}
      />
    </Frame>
  );
}
