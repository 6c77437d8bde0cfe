import { queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { Day } from './days.ts';

/** How often what is shown is read again, in milliseconds. The stream of changes says sooner what is new. */
const refetchInterval = 30_000;

const failures = ['failed', 'timed_out', 'iteration_limit'] as const;

/** The turns that are listed of each kind at most. */
const mostTurns = 20;

/** The turns that have failed since a time, newest first, and whether there are more than were read. */
export const failedTurnsQuery = (from: string) =>
  queryOptions({
    queryKey: ['turns', 'failed-since', from],
    refetchInterval,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        failures.map((outcome) => holdfast.turns.find({ outcome, from, limit: mostTurns }, { signal })),
      );
      const turns = pages.flatMap(({ items }) => items);
      return {
        turns: turns.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt)),
        isCut: pages.some(({ nextCursor }) => nextCursor !== null),
      };
    },
  });

/** The tools with calls since a time of which it is not known whether they took effect. */
export const unknownCallsQuery = (from: string) =>
  queryOptions({
    queryKey: ['turns', 'unknown-calls', from],
    refetchInterval,
    queryFn: async ({ signal }) => {
      const { tools } = await holdfast.analytics.tools({ from, groupBy: 'tool', limit: 1_000 }, { signal });
      return tools.filter(({ unknown }) => unknown > 0);
    },
  });

/** The newest turns that have not ended. */
export const openTurnsQuery = queryOptions({
  queryKey: ['turns', 'open'],
  refetchInterval,
  queryFn: ({ signal }) => holdfast.turns.find({ outcome: 'open', limit: mostTurns }, { signal }),
});

/** Whether any turn can be seen: on a new installation there is none. */
export const anyTurnQuery = queryOptions({
  queryKey: ['turns', 'any'],
  queryFn: async ({ signal }) => (await holdfast.turns.find({ limit: 1 }, { signal })).items.length > 0,
});

/** Some agents: enough to see whether there is another one than the demo agent. */
export const agentsQuery = queryOptions({
  queryKey: ['agents', 'some'],
  queryFn: async ({ signal }) => (await holdfast.agents.list({ limit: 20 }, { signal })).items,
});

/** Whether an MCP server is connected. */
export const anyMcpServerQuery = queryOptions({
  queryKey: ['connections', 'any-mcp'],
  queryFn: async ({ signal }) =>
    (await holdfast.connections.list({ provider: 'mcp', limit: 1 }, { signal })).items.length > 0,
});

/** The messages of agents that the person has not read. */
export const unreadQuery = queryOptions({
  queryKey: ['inbox', 'unread'],
  refetchInterval,
  queryFn: ({ signal }) => holdfast.inbox.list({ unread: 'true', limit: 20 }, { signal }),
});

/** What the calls of a day have cost. */
export interface DayCost {
  day: Day;
  credits: number;
  /** The calls of models that have no price. */
  unpriced: number;
}

/** What each day has cost. The API sums up by days of UTC, so each day of the browser is asked for by its times. */
export const costsQuery = (days: readonly Day[]) =>
  queryOptions({
    queryKey: ['usage', 'days', days.map(({ from }) => from)],
    queryFn: ({ signal }): Promise<DayCost[]> =>
      Promise.all(
        days.map(async (day) => {
          const { usage } = await holdfast.usage.get({ ...day, groupBy: 'kind' }, { signal });
          return {
            day,
            credits: usage.reduce((sum, { credits }) => sum + Number(credits), 0),
            unpriced: usage.reduce((sum, { unpricedCalls }) => sum + unpricedCalls, 0),
          };
        }),
      ),
  });
