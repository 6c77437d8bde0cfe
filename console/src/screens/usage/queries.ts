import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { joinFigures } from './figures.ts';
import { toTimes, type DayRange } from './range.ts';

/** Which calls and turns are counted. */
export interface Counted extends DayRange {
  agentId?: string | undefined;
  person?: string | undefined;
}

/** The maximum number of groups that are read at once. */
const mostGroups = 500;

/** How often figures are read again, in milliseconds. */
const intervalMs = 60_000;

const shared = { placeholderData: keepPreviousData, refetchInterval: intervalMs } as const;

const toUsageQuery = ({ agentId, person, ...range }: Counted) => ({
  ...toTimes(range),
  ...{ agentId, user: person, limit: mostGroups },
});

/** What calls have cost and the turns that made them, by day, agent or person. */
export const figuresQuery = (group: 'day' | 'agent' | 'person', counted: Counted) =>
  queryOptions({
    ...shared,
    queryKey: ['usage', group, counted],
    queryFn: async ({ signal }) => {
      const { agentId, person, ...range } = counted;
      const turnQuery = { ...toTimes(range), agentId, person, limit: mostGroups, groupBy: group };
      const groupBy = group === 'person' ? 'user' : group;
      const [{ usage }, { turns }] = await Promise.all([
        holdfast.usage.get({ ...toUsageQuery(counted), groupBy }, { signal }),
        holdfast.analytics.turns(turnQuery, { signal }),
      ]);
      const key = ({ day: 'day', agent: 'agentId', person: 'person' } as const)[group];
      return joinFigures({
        ...{ usage, turns },
        toUsageKey: (one) => (group === 'person' ? one.user : one[group === 'day' ? 'day' : 'agentId']),
        toTurnKey: (one) => one[key],
      });
    },
  });

/** What calls have cost by model and kind: a call of a tool has no model. */
export const modelsUsedQuery = (counted: Counted) =>
  queryOptions({
    ...shared,
    queryKey: ['usage', 'models', counted],
    queryFn: async ({ signal }) =>
      (await holdfast.usage.get({ ...toUsageQuery(counted), groupBy: 'model,kind' }, { signal })).usage,
  });

/** The calls of tools, which are counted for all people together. */
export const toolsUsedQuery = ({ agentId, from, to }: Counted) =>
  queryOptions({
    ...shared,
    queryKey: ['usage', 'tools', { agentId, from, to }],
    queryFn: async ({ signal }) =>
      (await holdfast.analytics.tools({ ...toTimes({ from, to }), agentId, limit: mostGroups }, { signal }))
        .tools,
  });
