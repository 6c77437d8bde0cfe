import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PendingAction } from '../../api/types.ts';
import { useSearchOf } from '../../app/address.ts';
import { actionQuery } from '../../live/actions/pending-actions.ts';
import { parseApprovalsSearch } from './search.ts';

/**
 * The action whose details are shown: the one in the address, or else the first one that was there. It stays the same when others come
 * before it and when it leaves the list, so that a person decides about what they have read.
 */
export function useChosen(listed: readonly PendingAction[], name: 'action' | 'decided') {
  const opened = useSearchOf(parseApprovalsSearch)[name];
  const [first, setFirst] = useState<string>();
  if (first === undefined && listed[0]) setFirst(listed[0].id);
  const id = opened ?? first;
  const { data, error } = useQuery({
    ...actionQuery(id ?? ''),
    enabled: id !== undefined,
    placeholderData: () => listed.find((action) => action.id === id),
  });
  return { chosen: data, error, isOpened: opened !== undefined };
}
