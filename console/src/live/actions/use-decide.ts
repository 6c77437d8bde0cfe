import { useMutation, useQueryClient } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { actionQuery } from './pending-actions.ts';

/** The decision of a person about an action, as the API takes it. */
type DecisionBody = Parameters<typeof holdfast.pendingActions.decide>[1];

/** Sends the decision about an action. What the page shows of actions is read anew afterwards, also when it was decided before. */
export function useDecide(actionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: DecisionBody) => holdfast.pendingActions.decide(actionId, body),
    onSuccess: (action) => queries.setQueryData(actionQuery(actionId).queryKey, action),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['actions'] }),
  });
}

/** The sending of a decision. */
export type Deciding = ReturnType<typeof useDecide>;
