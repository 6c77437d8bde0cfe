import type { ProviderRequests } from './request-case.ts';

export const braveSearchRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    webSearch: {
      input: { query: 'durable execution', count: 3 },
      method: 'GET',
      target: '/res/v1/web/search?q=durable+execution&count=3',
    },
  },
};
