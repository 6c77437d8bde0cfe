import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { holdfast } from '../../api/client.ts';
import { forgetDeleted } from '../../api/query-client.ts';
import type { Budget } from '../../api/types.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Problem } from '../../ui/problem.tsx';

/** Deletes a budget, after a question. */
export function DeleteBudget({ budget: { id }, whose }: { budget: Budget; whose: string }) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => holdfast.budgets.delete(id),
    onSuccess: async () => {
      await navigate({ to: '/budgets' });
      await forgetDeleted(id, ['budgets']);
    },
  });
  return (
    <>
      <Problem error={remove.error} />
      <ConfirmButton
        title={`Delete the budget: ${whose}?`}
        text="Calls are no longer counted for it, and it ends no more turns. What was spent stays in the usage."
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </>
  );
}
