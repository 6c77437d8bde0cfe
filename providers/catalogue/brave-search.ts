import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { listAt, textAt } from '../../src/engines/providers/read-answer.ts';

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
  setup: [
    'Open the [Brave Search API dashboard](https://api-dashboard.search.brave.com), and subscribe to a plan with web search.',
    'Under *API keys*, add a key and copy it.',
  ],
  // As github.com/brave/brave-search-mcp-server of that day calls it.
  unverified: '2025-07-17',
  verify: { request: 'GET /res/v1/web/search', query: { q: 'connection', count: 1 } },
  // The smallest plan allows one request a second.
  rateLimit: { tokensPerMinute: 60 },
  errors: { message: ['error.detail', 'message'] },
  operations: {
    webSearch: {
      description:
        'Search the web for facts, news and pages that you do not know. Returns titles, addresses and snippets, not the pages.',
      input: z.strictObject({
        query: z.string().min(1).max(400).describe('The search query'),
        count: z.int().min(1).max(20).default(10).describe('The most results to answer with'),
      }),
      request: 'GET /res/v1/web/search',
      rename: { query: 'q' },
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
