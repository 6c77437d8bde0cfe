import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { toPageRequest } from '../../api/pages.ts';

/** The uploaded files, newest first. */
export const filesQuery = infiniteQueryOptions({
  queryKey: ['files', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.files.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** The facts about one file. */
export const fileQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['files', 'one', fileId],
    queryFn: ({ signal }) => holdfast.files.get(fileId, { signal }),
  });

/** The bytes of a file. They never change, and are not kept once they are not shown. */
export const contentQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['file-contents', fileId],
    staleTime: Infinity,
    gcTime: 0,
    queryFn: ({ signal }) => holdfast.files.content(fileId, { signal }),
  });
