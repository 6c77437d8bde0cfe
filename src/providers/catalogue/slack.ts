import { z } from 'zod';
import { defineProvider } from '../define-provider.ts';
import { textAt, valueAt } from '../read-answer.ts';

const channel = z
  .string()
  .min(1)
  .describe('Id of a channel or direct message, or the name of a public channel');
const ts = z.string().regex(/^\d+\.\d+$/, 'expected a timestamp such as "1712345678.000100"');
const blocks = z.array(z.looseObject({})).max(50).describe('Block Kit blocks');
const cursor = z.string().describe('next_cursor of the page before');
const limit = z.int().min(1).max(999).default(100);
const oldest = ts.describe('Only what is newer than this message');
const latest = ts.describe('Only what is older than this message');

/** Slack answers errors with status 200, in `ok` and `error`. */
export const slack = defineProvider({
  name: 'slack',
  title: 'Slack',
  description: 'Send and read messages of a Slack workspace.',
  category: 'communication',
  baseUrl: 'https://slack.com/api',
  bodyFormat: 'form',
  auth: {
    types: ['oauth2_authorization_code', 'bearer'],
    oauth: {
      authorizationUrl: 'https://slack.com/oauth/v2/authorize',
      tokenUrl: 'https://slack.com/api/oauth.v2.access',
      clientAuthentication: 'post',
      scopes: [
        'chat:write',
        'channels:read',
        'channels:history',
        'groups:read',
        'groups:history',
        'users:read',
        'users:read.email',
        'reactions:write',
      ],
    },
    hint: 'A bot token (xoxb-…) of an app that is installed in the workspace.',
  },
  verify: {
    request: 'POST /auth.test',
    describe: (answer) => [textAt(answer, 'user'), textAt(answer, 'team')].filter(Boolean).join(' in '),
  },
  // Tier 3 of https://docs.slack.dev/apis/web-api/rate-limits, in which most of these methods are.
  rateLimit: { tokensPerMinute: 50 },
  readError: ({ body }) => {
    if (valueAt(body, 'ok') !== false) return null;
    const needed = textAt(body, 'needed');
    const error = textAt(body, 'error') ?? 'unknown_error';
    return needed === undefined ? error : `${error} (needs the scope ${needed})`;
  },
  // Part of the operation may have succeeded: https://docs.slack.dev/reference/methods/chat.postMessage#errors
  isUncertain: ({ body }) => ['fatal_error', 'internal_error'].includes(textAt(body, 'error') ?? ''),
  operations: {
    sendMessage: {
      description: 'Send a message to a channel, a direct message or a thread.',
      input: z.strictObject({
        channel,
        text: z.string().min(1).max(40_000).describe('The message, in Slack markup'),
        thread_ts: ts.describe('The message to reply to').optional(),
        reply_broadcast: z.boolean().describe('Show a reply in the channel too').optional(),
        blocks: blocks.optional(),
        unfurl_links: z.boolean().optional(),
        unfurl_media: z.boolean().optional(),
      }),
      request: 'POST /chat.postMessage',
      effect: 'unsafe',
      rateLimit: { tokensPerMinute: 60 },
    },
    updateMessage: {
      description: 'Replace the text of a message that was sent before.',
      input: z.strictObject({
        channel,
        ts: ts.describe('The message to change'),
        text: z.string().min(1).max(40_000),
        blocks: blocks.optional(),
      }),
      request: 'POST /chat.update',
      effect: 'idempotent',
    },
    deleteMessage: {
      description: 'Delete a message.',
      input: z.strictObject({ channel, ts: ts.describe('The message to delete') }),
      request: 'POST /chat.delete',
      effect: 'idempotent',
      destructive: true,
    },
    listChannels: {
      description: 'List the channels of the workspace.',
      input: z.strictObject({
        types: z
          .string()
          .describe('Comma-separated, of public_channel, private_channel, mpim and im')
          .optional(),
        exclude_archived: z.boolean().default(true),
        limit,
        cursor: cursor.optional(),
      }),
      request: 'GET /conversations.list',
      effect: 'read_only',
      rateLimit: { tokensPerMinute: 20 },
    },
    getChannelHistory: {
      description: 'Read the messages of a channel, newest first.',
      input: z.strictObject({
        channel,
        oldest: oldest.optional(),
        latest: latest.optional(),
        inclusive: z.boolean().describe('With the messages at oldest and latest').optional(),
        limit,
        cursor: cursor.optional(),
      }),
      request: 'GET /conversations.history',
      effect: 'read_only',
    },
    getThreadReplies: {
      description: 'Read a thread: its first message and the replies.',
      input: z.strictObject({
        channel,
        ts: ts.describe('The first message of the thread'),
        oldest: oldest.optional(),
        latest: latest.optional(),
        inclusive: z.boolean().optional(),
        limit,
        cursor: cursor.optional(),
      }),
      request: 'GET /conversations.replies',
      effect: 'read_only',
    },
    findUserByEmail: {
      description: 'Find a member of the workspace by e-mail address.',
      input: z.strictObject({ email: z.email() }),
      request: 'GET /users.lookupByEmail',
      effect: 'read_only',
    },
    addReaction: {
      description: 'Add an emoji reaction to a message.',
      input: z.strictObject({
        channel,
        timestamp: ts.describe('The message to react to'),
        name: z.string().min(1).max(100).describe('Name of the emoji without colons, such as thumbsup'),
      }),
      request: 'POST /reactions.add',
      effect: 'idempotent',
    },
  },
});
