import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const contact = z.string().min(1).describe('Id of the contact in Intercom');
const conversation = z.string().regex(/^\d+$/).describe('Id of the conversation');
const admin = z.string().min(1).describe('Id of the teammate who writes');
const filter = z.strictObject({
  field: z.string().min(1),
  operator: z.enum(['=', '!=', 'IN', 'NIN', '<', '<=', '>', '>=', '~', '!~', '^', '$']),
  value: z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()]))]),
});
const query = z
  .union([filter, z.strictObject({ operator: z.enum(['AND', 'OR']), value: z.array(filter).min(1).max(15) })])
  .describe('A filter, or several with AND or OR; ~ contains, ^ begins with, times are epoch seconds');
const order = z.enum(['ascending', 'descending']);
const paging = {
  style: 'cursor',
  field: 'pagination.starting_after',
  next: 'pages.next.starting_after',
  items: 'data',
  total: 'total_count',
  size: { field: 'pagination.per_page', max: 150 },
} as const;
const keptContact = [
  ...['id', 'external_id', 'role', 'name', 'email', 'phone', 'owner_id', 'unsubscribed_from_emails'],
  ...['created_at', 'last_seen_at', 'custom_attributes'],
];
const keptConversation = [
  ...['id', 'title', 'state', 'open', 'priority', 'admin_assignee_id', 'team_assignee_id', 'tags.tags.name'],
  ...['source.subject', 'source.body', 'source.author.name', 'source.author.email', 'contacts.contacts.id'],
  ...['waiting_since', 'created_at', 'updated_at'],
];
const contactFields = {
  email: z.email().optional(),
  external_id: z.string().describe('Your own id of the person').optional(),
  role: z.enum(['user', 'lead']).optional(),
  name: z.string().optional(),
  phone: z.string().describe('E.164').optional(),
  owner_id: z.string().describe('Id of the teammate who owns the contact').optional(),
  unsubscribed_from_emails: z.boolean().optional(),
  custom_attributes: z.record(z.string(), z.json()).describe('Values of attributes that exist').optional(),
};

export const intercom = defineProvider({
  name: 'intercom',
  title: 'Intercom',
  description: 'Find contacts and conversations of an Intercom workspace, and answer them.',
  category: 'support',
  baseUrl: 'https://{host}.intercom.io',
  variables: {
    host: {
      description: 'The region of the workspace: api for the US, api.eu or api.au',
      example: 'api',
      oneOf: ['api', 'api.eu', 'api.au'],
      default: 'api',
    },
  },
  headers: { 'Intercom-Version': '2.16' },
  auth: {
    types: ['bearer', 'oauth2_authorization_code'],
    // Scopes are chosen for the app in the Developer Hub, and a request names none. Tokens do not expire.
    oauth: {
      authorizationUrl: 'https://app.intercom.com/oauth',
      tokenUrl: 'https://{host}.intercom.io/auth/eagle/token',
      scopes: [],
      clientAuthentication: 'post',
    },
    hint: 'The access token of an app in the Developer Hub of Intercom, Authentication.',
  },
  setup: [
    'Open the [Developer Hub](https://app.intercom.com/a/apps/_/developer-hub) of Intercom and create an app for your workspace.',
    'Under *Configure*, *Authentication*, choose its permissions: read and write users, and read and write conversations.',
    'Copy the **access token** of that page. For OAuth tick *Use OAuth* there, and copy client id and secret of *Basic information*.',
  ],
  verify: { request: 'GET /me', account: ['name', 'app.name'] },
  // 10,000 a minute for an app, counted in spans of ten seconds.
  rateLimit: { tokensPerMinute: 10_000 },
  throttle: { wait: [{ header: 'x-ratelimit-reset', unit: 'epoch' }] },
  errors: { message: ['errors.0.message'], details: ['errors'] },
  operations: {
    searchContacts: {
      description:
        'Find contacts (users and leads) by e-mail, name, external id or other fields. Returns ids and attributes, not their conversations.',
      input: z.strictObject({
        query,
        sort: z.strictObject({ field: z.string(), order }).optional(),
      }),
      request: 'POST /contacts/search',
      effect: 'read_only',
      scopes: [],
      paging,
      keep: keptContact,
    },
    createContact: {
      description:
        'Create a contact; give an e-mail, an external id or a role. Returns its id. Fails when a user with the same e-mail or external id exists.',
      input: z.strictObject(contactFields),
      request: 'POST /contacts',
      effect: 'unsafe',
      scopes: [],
      keep: keptContact,
    },
    updateContact: {
      description:
        'Change fields of a contact by its id; fields that are not given stay as they are. Returns the contact.',
      input: z.strictObject({ contact_id: contact, ...contactFields }),
      request: 'PUT /contacts/{contact_id}',
      effect: 'idempotent',
      scopes: [],
      keep: keptContact,
    },
    searchConversations: {
      description:
        'Find conversations by state, assignee, time, contact or words. Returns their first message only; the rest comes from getConversation.',
      input: z.strictObject({ query }),
      request: 'POST /conversations/search',
      effect: 'read_only',
      scopes: [],
      paging: { ...paging, items: 'conversations' },
      keep: keptConversation,
    },
    getConversation: {
      description:
        'Read a conversation by its id with its messages and notes as plain text. Returns at most 500 of them, the newest ones.',
      input: z.strictObject({ conversation_id: conversation }),
      request: 'GET /conversations/{conversation_id}',
      fixed: { display_as: 'plaintext' },
      effect: 'read_only',
      scopes: [],
      keep: [
        ...keptConversation,
        ...['author.name', 'author.type', 'body', 'part_type', 'created_at'].map(
          (name) => `conversation_parts.conversation_parts.${name}`,
        ),
      ],
    },
    replyToConversation: {
      description:
        'Answer a conversation as a teammate, or leave an internal note with message_type note. A comment goes to the customer at once. Does not close it.',
      input: z.strictObject({
        conversation_id: conversation,
        admin_id: admin,
        message_type: z.enum(['comment', 'note']).default('comment'),
        body: z.string().min(1).describe('HTML or plain text'),
        attachment_urls: z.array(z.url()).max(10).describe('Public addresses of pictures').optional(),
      }),
      request: 'POST /conversations/{conversation_id}/reply',
      fixed: { type: 'admin' },
      effect: 'unsafe',
      scopes: [],
      keep: ['id', 'state', 'open', 'updated_at'],
    },
    addNoteToContact: {
      description:
        'Write an internal note on a contact, which teammates see in its profile. The customer does not see it. Returns the id of the note.',
      input: z.strictObject({
        contact_id: contact,
        body: z.string().min(1).describe('HTML or plain text'),
        admin_id: admin.optional(),
      }),
      request: 'POST /contacts/{contact_id}/notes',
      effect: 'unsafe',
      scopes: [],
      keep: ['id', 'created_at', 'author.name', 'body'],
    },
    deleteContact: {
      description:
        'Delete a contact by its id for good, with its attributes and notes. Returns the id. Cannot be undone.',
      input: z.strictObject({ contact_id: contact }),
      request: 'DELETE /contacts/{contact_id}',
      effect: 'idempotent',
      scopes: [],
    },
  },
});
