import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { Webhook } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { RotateSecret } from '../../ui/rotate-secret.tsx';
import { toAddress } from './webhooks-page.tsx';

interface WebhookActionsProps {
  webhook: Webhook;
  /** Whether the person may enable it and change its settings. */
  canChange: boolean;
}

/** What can be done with a webhook: enable and disable it, replace its secret, delete it. */
export function WebhookActions({ webhook, canChange }: WebhookActionsProps) {
  const { id, enabled, slack } = webhook;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refresh = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
  const enable = useMutation({
    mutationFn: () => holdfast.webhooks.update(id, { enabled: !enabled }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => holdfast.webhooks.delete(id),
    onSuccess: async () => {
      await navigate({ to: '/webhooks' });
      await forgetDeleted(id, ['webhooks']);
    },
  });
  return (
    <>
      <Problem error={enable.error ?? remove.error} />
      {(enabled || canChange) && (
        <Button
          kind={enabled ? 'quiet' : 'main'}
          isPending={enable.isPending}
          onPress={() => enable.mutate()}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
      )}
      {!slack && (
        <RotateSecret
          text="For a while the old secret signs too, as a second signature, so that the receiver can be changed meanwhile."
          rotate={async (change) => {
            const { secret } = await holdfast.webhooks.rotateSecret(id, change);
            await refresh();
            return secret;
          }}
        />
      )}
      <ConfirmButton
        title={`Delete ${toAddress(webhook)}?`}
        text="Its secrets and its deliveries are deleted too, and what waits to be delivered is cancelled."
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </>
  );
}
