import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const snowflake = z.string().regex(/^\d{1,20}$/);
const channel = snowflake.describe('Id of the channel or thread, from listChannels');
const message = snowflake.describe('Id of the message');
const server = snowflake.describe('Id of the server (guild), from listServers');
const content = z.string().min(1).max(2000).describe('Markdown of Discord; <@id> mentions a user');
const embeds = z
  .array(
    z.strictObject({
      title: z.string().max(256).optional(),
      description: z.string().max(4096).optional(),
      url: z.url().optional(),
      color: z.int().min(0).max(0xffffff).optional(),
      fields: z
        .array(
          z.strictObject({
            name: z.string().max(256),
            value: z.string().max(1024),
            inline: z.boolean().optional(),
          }),
        )
        .max(25)
        .optional(),
    }),
  )
  .max(10)
  .describe('Boxes below the text')
  .optional();
const mentions = z
  .strictObject({ parse: z.array(z.enum(['users', 'roles', 'everyone'])) })
  .default({ parse: ['users'] })
  .describe('The kinds of mentions that notify people');
const keptMessage = [
  ...['id', 'channel_id', 'author.id', 'author.username', 'author.bot', 'content', 'timestamp'],
  ...['edited_timestamp', 'pinned', 'attachments.filename', 'attachments.url', 'embeds.title'],
  ...['embeds.description', 'reactions.count', 'reactions.emoji.name', 'message_reference.message_id'],
];

export const discord = defineProvider({
  name: 'discord',
  title: 'Discord',
  description: 'Send and read messages in the channels of Discord servers, as a bot.',
  category: 'communication',
  baseUrl: 'https://discord.com/api/v10',
  // Requests without such a name are refused: https://docs.discord.com/developers/reference#user-agent
  headers: { 'User-Agent': 'DiscordBot (holdfast, 0.1)' },
  auth: {
    types: ['api_key'],
    apiKey: { header: 'Authorization', prefix: 'Bot ' },
    hint: 'The token of a bot in the Discord Developer Portal, Bot.',
  },
  setup: [
    'Open the [Developer Portal](https://discord.com/developers/applications), create an application, and copy the token of its page *Bot*.',
    'Switch on **Message Content Intent** and **Server Members Intent** on that page, to read messages and to list members.',
    'Make an address under *OAuth2*, *URL Generator* with the scope `bot` and the permissions View Channels, Send Messages, Read Message History and Add Reactions; open it and choose your server.',
  ],
  verify: { request: 'GET /users/@me', account: ['username'] },
  // 50 a second for a bot, and less for each channel, which only the answers say.
  rateLimit: { tokensPerMinute: 3000 },
  throttle: {
    wait: [
      { body: 'retry_after', unit: 'seconds' },
      { header: 'x-ratelimit-reset-after', unit: 'seconds' },
    ],
  },
  errors: { message: ['message'], details: ['errors.content._errors', 'errors.embeds._errors'] },
  operations: {
    // Discord compares a `nonce` for some minutes only, so a later repetition would send the message twice.
    sendMessage: {
      description:
        'Send a message to a channel or thread, or answer a message with message_reference. Returns its id, with which it is edited.',
      input: z.strictObject({
        channel_id: channel,
        content: content.optional(),
        embeds,
        message_reference: z
          .strictObject({ message_id: snowflake, fail_if_not_exists: z.boolean().optional() })
          .describe('The message to answer')
          .optional(),
        allowed_mentions: mentions,
      }),
      request: 'POST /channels/{channel_id}/messages',
      effect: 'unsafe',
      keep: ['id', 'channel_id', 'timestamp', 'content'],
    },
    listMessages: {
      description:
        'Read the messages of a channel or thread, newest first, with authors and times. Does not search: it goes back page by page.',
      input: z.strictObject({ channel_id: channel }),
      request: 'GET /channels/{channel_id}/messages',
      effect: 'read_only',
      paging: {
        ...{ style: 'cursor', field: 'before', next: '-1.id', items: '' },
        size: { field: 'limit', max: 100 },
      },
      keep: keptMessage,
    },
    editMessage: {
      description:
        'Replace the text or the embeds of a message that this bot has sent. Returns the message. Cannot change messages of others.',
      input: z.strictObject({
        channel_id: channel,
        message_id: message,
        content: content.optional(),
        embeds,
        allowed_mentions: mentions,
      }),
      request: 'PATCH /channels/{channel_id}/messages/{message_id}',
      effect: 'idempotent',
      keep: ['id', 'channel_id', 'content', 'edited_timestamp'],
    },
    deleteMessage: {
      description:
        'Delete a message of this bot for good; with the permission Manage Messages also messages of others.',
      input: z.strictObject({ channel_id: channel, message_id: message }),
      request: 'DELETE /channels/{channel_id}/messages/{message_id}',
      effect: 'idempotent',
    },
    addReaction: {
      description:
        'React to a message with an emoji, as this bot. Doing it twice changes nothing. Does not send a message.',
      input: z.strictObject({
        channel_id: channel,
        message_id: message,
        emoji: z
          .string()
          .min(1)
          .max(100)
          .describe('The emoji itself, such as 👍, or name:id for one of the server'),
      }),
      request: 'PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me',
      query: [],
      effect: 'idempotent',
    },
    listChannels: {
      description:
        'List the channels of a server with names, types and topics, and the ids that other tools need. Does not list threads.',
      input: z.strictObject({ guild_id: server }),
      request: 'GET /guilds/{guild_id}/channels',
      effect: 'read_only',
      keep: ['id', 'name', 'type', 'topic', 'parent_id', 'position', 'nsfw'],
    },
    listServers: {
      description:
        'List the servers (guilds) that this bot is a member of, with the ids that other tools need. Does not list their channels.',
      input: z.strictObject({ with_counts: z.boolean().describe('With numbers of members').optional() }),
      request: 'GET /users/@me/guilds',
      effect: 'read_only',
      paging: {
        ...{ style: 'cursor', field: 'after', next: '-1.id', items: '' },
        size: { field: 'limit', max: 200 },
      },
      keep: ['id', 'name', 'owner', 'permissions', 'approximate_member_count'],
    },
    listMembers: {
      description:
        'List the members of a server with their ids, names and roles. Needs the Server Members Intent. Does not tell who is online.',
      input: z.strictObject({ guild_id: server }),
      request: 'GET /guilds/{guild_id}/members',
      effect: 'read_only',
      paging: {
        ...{ style: 'cursor', field: 'after', next: '-1.user.id', items: '' },
        size: { field: 'limit', max: 1000 },
      },
      keep: ['user.id', 'user.username', 'user.global_name', 'user.bot', 'nick', 'roles', 'joined_at'],
    },
  },
});
