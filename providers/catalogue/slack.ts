import { z } from 'zod';
import type { NeededScope } from '../../src/domain/scopes.ts';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const channel = z
  .string()
  .min(1)
  .describe('Id of a channel or direct message, or the name of a public channel');
const ts = z.string().regex(/^\d+\.\d+$/, 'expected a timestamp such as "1712345678.000100"');
const blocks = z.array(z.looseObject({})).max(50).describe('Block Kit blocks');
const paging = {
  style: 'cursor',
  field: 'cursor',
  next: 'response_metadata.next_cursor',
  items: 'messages',
  size: { field: 'limit', max: 200 },
} as const;
const history: NeededScope[] = [['channels:history', 'groups:history', 'im:history', 'mpim:history']];
const keptMessage = [
  ...['ts', 'user', 'username', 'bot_id', 'text', 'thread_ts', 'reply_count', 'files.name', 'reactions'],
];
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
      // The others come from the operations; with these two, private channels and names can be read as well.
      scopes: ['groups:read', 'groups:history', 'users:read'],
    },
    hint: 'A bot token (xoxb-…) of an app that is installed in the workspace.',
  },
  setup: [
    'Create an app at [api.slack.com/apps](https://api.slack.com/apps), *From scratch*, in the workspace that agents may use.',
    'Scopes belong to the bot token under *OAuth & Permissions*.',
    'For a token instead: add the scopes, choose **Install to workspace**, and copy the *Bot User OAuth Token* (`xoxb-…`). Invite the app to each channel that it should write to.',
  ],
  verify: {
    request: 'POST /auth.test',
    account: ['user', 'team'],
  },
  // Tier 3 of https://docs.slack.dev/apis/web-api/rate-limits, in which most of these methods are.
  rateLimit: { tokensPerMinute: 50 },
  errors: {
    when: { at: 'ok', oneOf: [false] },
    message: ['error'],
    details: ['needed'],
    // Part of the operation may have succeeded: https://docs.slack.dev/reference/methods/chat.postMessage#errors
    uncertain: { at: 'error', oneOf: ['fatal_error', 'internal_error'] },
  },
  operations: {
    sendMessage: {
      description:
        'Send a message to a channel, a direct message or a thread. Returns its ts, with which it is changed or answered.',
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
      scopes: ['chat:write'],
      effect: 'unsafe',
      rateLimit: { tokensPerMinute: 60 },
    },
    updateMessage: {
      description:
        'Replace the text of a message that this app has sent before. Cannot change messages of others.',
      input: z.strictObject({
        channel,
        ts: ts.describe('The message to change'),
        text: z.string().min(1).max(40_000),
        blocks: blocks.optional(),
      }),
      request: 'POST /chat.update',
      scopes: ['chat:write'],
      effect: 'idempotent',
    },
    deleteMessage: {
      description: 'Delete a message that this app has sent, for everybody and for good.',
      input: z.strictObject({ channel, ts: ts.describe('The message to delete') }),
      request: 'POST /chat.delete',
      scopes: ['chat:write'],
      effect: 'idempotent',
      destructive: true,
    },
    listChannels: {
      description:
        'List the channels of the workspace with the ids that other tools need. Does not return messages.',
      input: z.strictObject({
        types: z
          .string()
          .describe('Comma-separated, of public_channel, private_channel, mpim and im')
          .optional(),
        exclude_archived: z.boolean().default(true),
      }),
      request: 'GET /conversations.list',
      scopes: [['channels:read', 'groups:read', 'im:read', 'mpim:read']],
      paging: { ...paging, items: 'channels' },
      keep: [
        ...['id', 'name', 'is_private', 'is_archived', 'is_member', 'num_members', 'topic.value'],
        ...['purpose.value', 'user'],
      ],
      effect: 'read_only',
      rateLimit: { tokensPerMinute: 20 },
    },
    getChannelHistory: {
      description:
        'Read the messages of a channel, newest first. Answers in threads come from getThreadReplies.',
      input: z.strictObject({
        channel,
        oldest: oldest.optional(),
        latest: latest.optional(),
        inclusive: z.boolean().describe('With the messages at oldest and latest').optional(),
      }),
      request: 'GET /conversations.history',
      scopes: history,
      paging,
      keep: keptMessage,
      effect: 'read_only',
    },
    getThreadReplies: {
      description:
        'Read a thread: its first message and the replies, oldest first. Needs the ts of the first message.',
      input: z.strictObject({
        channel,
        ts: ts.describe('The first message of the thread'),
        oldest: oldest.optional(),
        latest: latest.optional(),
        inclusive: z.boolean().optional(),
      }),
      request: 'GET /conversations.replies',
      scopes: history,
      paging,
      keep: keptMessage,
      effect: 'read_only',
    },
    findUserByEmail: {
      description:
        'Find a member of the workspace by e-mail address. Returns the id that mentions and direct messages need.',
      input: z.strictObject({ email: z.email() }),
      request: 'GET /users.lookupByEmail',
      scopes: ['users:read.email'],
      result: 'user',
      keep: [
        ...['id', 'name', 'real_name', 'tz', 'deleted', 'is_bot', 'profile.email', 'profile.title'],
        'profile.display_name',
      ],
      effect: 'read_only',
    },
    addReaction: {
      description: 'Add an emoji reaction of this app to a message. Does not send a message.',
      input: z.strictObject({
        channel,
        timestamp: ts.describe('The message to react to'),
        name: z.string().min(1).max(100).describe('Name of the emoji without colons, such as thumbsup'),
      }),
      request: 'POST /reactions.add',
      scopes: ['reactions:write'],
      effect: 'idempotent',
    },
  },
});
