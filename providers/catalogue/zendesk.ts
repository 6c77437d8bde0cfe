import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const ticketId = z.int().min(1).describe('Id of the ticket');
const status = z.enum(['new', 'open', 'pending', 'hold', 'solved', 'closed']);
const priority = z.enum(['low', 'normal', 'high', 'urgent']).optional();
const comment = z
  .strictObject({
    body: z.string().min(1).max(65_536).describe('Plain text'),
    public: z
      .boolean()
      .default(true)
      .describe('true: the requester gets it as mail; false: an internal note'),
  })
  .describe('The text');
const ticketFields = {
  priority,
  type: z.enum(['problem', 'incident', 'question', 'task']).optional(),
  assignee_id: z.int().min(1).describe('Id of the agent, from searchUsers').optional(),
  group_id: z.int().min(1).optional(),
  tags: z.array(z.string()).max(100).describe('All tags; a list replaces those that were there').optional(),
  custom_fields: z
    .array(z.strictObject({ id: z.int(), value: z.json() }))
    .describe('Values by id of the field')
    .optional(),
};
const keptTicket = [
  ...['id', 'subject', 'description', 'status', 'priority', 'type', 'requester_id', 'assignee_id'],
  ...['group_id', 'organization_id', 'tags', 'created_at', 'updated_at'],
];
const cursor = {
  style: 'cursor',
  field: 'page[after]',
  next: 'meta.after_cursor',
  more: 'meta.has_more',
  size: { field: 'page[size]', max: 100 },
} as const;
const reading = (what: string) => [[`${what}:read`, 'read']] as const;
const writing = (what: string) => [[`${what}:write`, 'write']] as const;

export const zendesk = defineProvider({
  name: 'zendesk',
  title: 'Zendesk',
  description: 'Find, answer and change the support tickets of a Zendesk account.',
  category: 'support',
  baseUrl: 'https://{subdomain}.zendesk.com/api/v2',
  variables: {
    subdomain: { description: 'The first part of the address of your account', example: 'acme' },
  },
  auth: {
    types: ['oauth2_authorization_code', 'basic', 'bearer'],
    basic: { username: 'E-mail address followed by /token', password: 'API token' },
    oauth: {
      authorizationUrl: 'https://{subdomain}.zendesk.com/oauth/authorizations/new',
      tokenUrl: 'https://{subdomain}.zendesk.com/oauth/tokens',
      scopes: ['users:read'],
      clientAuthentication: 'post',
    },
    hint: 'An API token or an OAuth client of the Admin Center, Apps and integrations, APIs.',
  },
  setup: [
    'Open the **Admin Center**, *Apps and integrations*, *APIs*.',
    'For an API token: switch on token access under *Zendesk API*, add a token, and copy it. The user name is your e-mail address with `/token` at its end.',
    'For OAuth: add a client under *OAuth Clients*, and copy its identifier and secret.',
  ],
  unverified: '2026-03-01',
  verify: { request: 'GET /users/me', account: ['user.email'] },
  // 200 to 2,500 a minute by plan: https://developer.zendesk.com/api-reference/introduction/rate-limits/
  rateLimit: { tokensPerMinute: 200 },
  throttle: { wait: [{ header: 'ratelimit-reset', unit: 'seconds' }] },
  errors: { message: ['description', 'error.message', 'error.title', 'error'], details: ['details'] },
  operations: {
    searchTickets: {
      description:
        'Find tickets by words, state, requester or time. Returns subjects and first texts, at most 1,000 in all. Other comments come from listComments.',
      input: z.strictObject({
        query: z
          .string()
          .min(1)
          .max(1000)
          .describe(
            'Search syntax, such as status<solved requester:ana@example.com created>2026-01-01 printer',
          ),
        sort_by: z.enum(['updated_at', 'created_at', 'priority', 'status', 'ticket_type']).optional(),
        sort_order: z.enum(['asc', 'desc']).optional(),
      }),
      request: ({ query, ...rest }) => ({
        method: 'GET',
        path: '/search',
        query: { query: `type:ticket ${query}`, ...rest },
      }),
      effect: 'read_only',
      scopes: ['read'],
      paging: { style: 'link', next: 'next_page', items: 'results', size: { field: 'per_page', max: 100 } },
      keep: keptTicket,
    },
    getTicket: {
      description:
        'Get one ticket by its id with its state, people, tags and first text. Its later comments come from listComments.',
      input: z.strictObject({ ticket_id: ticketId }),
      request: 'GET /tickets/{ticket_id}',
      effect: 'read_only',
      scopes: reading('tickets'),
      result: 'ticket',
      keep: [...keptTicket, 'custom_fields', 'satisfaction_rating.score', 'via.channel'],
    },
    listComments: {
      description:
        'Read the comments of a ticket, oldest first, both public answers and internal notes, with the addresses of attached files.',
      input: z.strictObject({ ticket_id: ticketId }),
      request: 'GET /tickets/{ticket_id}/comments',
      effect: 'read_only',
      scopes: reading('tickets'),
      paging: { ...cursor, items: 'comments' },
      keep: [
        ...['id', 'author_id', 'public', 'plain_body', 'created_at'],
        ...['attachments.file_name', 'attachments.content_url'],
      ],
    },
    createTicket: {
      description:
        'Open a ticket, for the connected user or for a requester with name and e-mail. Returns its id. Does not look for similar tickets.',
      input: z.strictObject({
        subject: z.string().min(1).max(255),
        comment,
        requester: z
          .strictObject({ name: z.string().min(1), email: z.email() })
          .describe('Who needs help; is made a user when new')
          .optional(),
        status: status.optional(),
        ...ticketFields,
      }),
      request: 'POST /tickets',
      wrap: 'ticket',
      effect: 'keyed',
      // Zendesk takes keys for new tickets only, and keeps them for two hours: https://developer.zendesk.com/api-reference/ticketing/introduction/#idempotency
      idempotencyHeader: 'Idempotency-Key',
      scopes: writing('tickets'),
      result: 'ticket',
      keep: keptTicket,
    },
    updateTicket: {
      description:
        'Change the state, assignee, priority or tags of a ticket; fields that are not given stay as they are. To write to it use addComment.',
      input: z.strictObject({
        ticket_id: ticketId,
        subject: z.string().min(1).max(255).optional(),
        status: status.optional(),
        ...ticketFields,
      }),
      request: 'PUT /tickets/{ticket_id}',
      wrap: 'ticket',
      effect: 'idempotent',
      scopes: writing('tickets'),
      result: 'ticket',
      keep: keptTicket,
    },
    addComment: {
      description:
        'Answer a ticket, which the requester gets as mail, or leave an internal note with public false. Can set the state at the same time.',
      input: z.strictObject({ ticket_id: ticketId, comment, status: status.optional() }),
      request: 'PUT /tickets/{ticket_id}',
      wrap: 'ticket',
      effect: 'unsafe',
      scopes: writing('tickets'),
      result: 'ticket',
      keep: ['id', 'subject', 'status', 'assignee_id', 'updated_at'],
    },
    searchUsers: {
      description:
        'Find users (customers and agents) by name or e-mail. Returns the ids that tickets name. Does not return their tickets.',
      input: z.strictObject({ query: z.string().min(1).describe('Part of a name, or an e-mail address') }),
      request: 'GET /users/search',
      effect: 'read_only',
      scopes: reading('users'),
      paging: { style: 'link', next: 'next_page', items: 'users', size: { field: 'per_page', max: 100 } },
      keep: ['id', 'name', 'email', 'phone', 'role', 'organization_id', 'time_zone', 'last_login_at'],
    },
    deleteTicket: {
      description:
        'Delete a ticket by its id. It stays among the deleted tickets for 30 days, from where an administrator can restore it.',
      input: z.strictObject({ ticket_id: ticketId }),
      request: 'DELETE /tickets/{ticket_id}',
      effect: 'idempotent',
      scopes: writing('tickets'),
    },
  },
});
