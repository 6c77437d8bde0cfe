import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { Trigger } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { RotateSecret } from '../../ui/rotate-secret.tsx';

/** What can be done with a trigger: pause and resume it, replace its secret, delete it. */
export function TriggerActions({ trigger: { id, name, paused, hasSecret } }: { trigger: Trigger }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refresh = () => queries.invalidateQueries({ queryKey: ['triggers'] });
  const pause = useMutation({
    mutationFn: () => holdfast.triggers.update(id, { paused: !paused }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => holdfast.triggers.delete(id),
    onSuccess: async () => {
      await navigate({ to: '/triggers' });
      await forgetDeleted(id, ['triggers']);
    },
  });
  return (
    <>
      <Problem error={pause.error ?? remove.error} />
      <Button isPending={pause.isPending} onPress={() => pause.mutate()}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <RotateSecret
        text={
          hasSecret
            ? 'Events that are signed by the old secret count for a while, so that the sender can be changed meanwhile.'
            : 'Set the secret that the sender shows.'
        }
        rotate={async (change) => {
          const { secret } = await holdfast.triggers.rotateSecret(id, change);
          await refresh();
          return secret;
        }}
      >
        {hasSecret ? 'Rotate the secret …' : 'Set the secret …'}
      </RotateSecret>
      <ConfirmButton
        title={`Delete ${name}?`}
        text="Its secrets and the list of its events are deleted too. What it has started continues."
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </>
  );
}
