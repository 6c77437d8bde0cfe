import { z } from 'zod';
import { defineProvider } from '../define-provider.ts';
import { listAt, textAt } from '../read-answer.ts';

export const braveSearch = defineProvider({
  name: 'brave-search',
  title: 'Brave Search',
  description: 'Search the web with an independent index.',
  category: 'search',
  baseUrl: 'https://api.search.brave.com',
  headers: { Accept: 'application/json' },
  auth: {
    types: ['api_key'],
    apiKey: { header: 'X-Subscription-Token' },
    hint: 'A subscription token of the Brave Search API dashboard.',
  },
  verify: { request: 'GET /res/v1/web/search', query: { q: 'connection', count: 1 } },
  // The smallest plan allows one request a second.
  rateLimit: { tokensPerMinute: 60 },
  readError: ({ body }) => textAt(body, 'error', 'detail') ?? textAt(body, 'message') ?? null,
  operations: {
    webSearch: {
      description: 'Search the web and get titles, addresses and snippets.',
      input: z.strictObject({
        query: z.string().min(1).max(400).describe('The search query'),
        count: z.int().min(1).max(20).default(10).describe('The most results to answer with'),
      }),
      request: ({ query, count }) => ({
        method: 'GET',
        path: '/res/v1/web/search',
        query: { q: query, count },
      }),
      effect: 'read_only',
      role: 'web_search',
      toResults: (answer) =>
        listAt(answer, 'web', 'results').map((hit) => ({
          title: textAt(hit, 'title') ?? '',
          url: textAt(hit, 'url') ?? '',
          snippet: textAt(hit, 'description') ?? '',
        })),
    },
  },
});
