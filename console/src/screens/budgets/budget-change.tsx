import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { Budget } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { AmountFields } from './amount-fields.tsx';
import { toDollars } from './budget-draft.ts';
import styles from './budgets.module.css';

/** Changes the amount of a budget, and what people read when it ends their turn. */
export function BudgetChange({ budget: { id, credits, message } }: { budget: Budget }) {
  const stored = { dollars: toDollars(credits), message: message ?? '' };
  const [draft, setDraft] = useState(stored);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      holdfast.budgets.update(id, { dollars: draft.dollars.trim(), message: draft.message.trim() || null }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['budgets'] }),
  });
  const isChanged = draft.dollars.trim() !== stored.dollars || draft.message.trim() !== stored.message;
  return (
    <Form onSubmit={() => change.mutate()}>
      <div className={styles.form}>
        <AmountFields
          {...draft}
          errors={toFieldErrors(change.error)}
          onChange={(next) => setDraft((before) => ({ ...before, ...next }))}
        />
        <Problem error={change.error} />
        <Buttons>
          <Button
            kind="main"
            type="submit"
            isPending={change.isPending}
            isDisabled={!isChanged || draft.dollars.trim() === ''}
          >
            Save
          </Button>
          <span className={styles.quiet}>It holds for calls that begin afterwards.</span>
        </Buttons>
      </div>
    </Form>
  );
}
