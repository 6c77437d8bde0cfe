import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followChanges } from './follow-changes.ts';

/** Keeps what the page shows up to date as long as the component is shown. */
export function useChanges(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const closing = new AbortController();
    void followChanges(queries, closing.signal);
    return () => closing.abort();
  }, [queries]);
}
