import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';
import { microsoftGraph } from '../microsoft-graph.ts';

const teamId = z.string().min(1).describe('Id of the team, from listTeams');
const channelId = z.string().min(1).describe('Id of the channel, from listChannels');
const chatId = z.string().min(1).describe('Id of the chat, from listChats');
const type = '@odata.type';
// Graph's metadata requires the type of each object; it comes first, as OData wants it.
const message = { [type]: '#microsoft.graph.chatMessage' };
const body = z
  .strictObject({ content: z.string().min(1), contentType: z.enum(['text', 'html']).default('text') })
  .transform((fields) => ({ [type]: '#microsoft.graph.itemBody', ...fields }));
const importance = z.enum(['normal', 'high', 'urgent']).optional();
const postedMessage = {
  body,
  subject: z.string().min(1).describe('The title above the text').optional(),
  importance,
};
const paging = { style: 'link', next: '@odata.nextLink', items: 'value' } as const;
const pagesOf50 = { ...paging, size: { field: '$top', max: 50 } } as const;
const keptMessage = [
  ...['id', 'replyToId', 'from.user.displayName', 'from.application.displayName', 'subject', 'body.content'],
  ...['importance', 'attachments.name', 'attachments.contentUrl', 'createdDateTime', 'lastEditedDateTime'],
  ...['deletedDateTime', 'messageType', 'webUrl'],
];

export const microsoftTeams = defineProvider({
  name: 'microsoft-teams',
  title: 'Microsoft Teams',
  description: 'Read and write messages in channels and chats of Microsoft Teams.',
  category: 'communication',
  ...microsoftGraph,
  setup: [
    'Open the [Microsoft Entra admin center](https://entra.microsoft.com), *App registrations*, *New registration*.',
    'Under *Authentication*, add a **Web** platform for the redirect address.',
    'Under *API permissions*, add the delegated Microsoft Graph permissions that the tools need; an administrator must consent to `ChannelMessage.Read.All`.',
    'Under *Certificates & secrets*, add a client secret and copy its value.',
  ],
  verify: { request: 'GET /me', account: ['userPrincipalName'] },
  errors: { message: ['error.message', 'error_description'] },
  operations: {
    listTeams: {
      description:
        'List the teams that the user is a direct member of. Returns ids, names and descriptions, not the channels: use listChannels.',
      input: z.strictObject({}),
      request: 'GET /me/joinedTeams',
      effect: 'read_only',
      scopes: [['Team.ReadBasic.All', 'TeamSettings.Read.All', 'TeamSettings.ReadWrite.All']],
      paging,
      keep: ['id', 'displayName', 'description', 'isArchived', 'visibility'],
    },
    listChannels: {
      description: 'List the channels of a team with their ids, names and kinds. Does not return messages.',
      input: z.strictObject({
        teamId,
        filter: z.string().min(1).describe("OData, such as membershipType eq 'private'").optional(),
      }),
      request: 'GET /teams/{teamId}/channels',
      rename: { filter: '$filter' },
      effect: 'read_only',
      scopes: [['Channel.ReadBasic.All', 'ChannelSettings.Read.All', 'ChannelSettings.ReadWrite.All']],
      paging,
      keep: ['id', 'displayName', 'description', 'membershipType', 'createdDateTime', 'webUrl'],
    },
    listChannelMessages: {
      description:
        'Read the messages that begin the threads of a channel, those with the latest activity first. Returns text and author, not the replies.',
      input: z.strictObject({ teamId, channelId }),
      request: 'GET /teams/{teamId}/channels/{channelId}/messages',
      effect: 'read_only',
      scopes: ['ChannelMessage.Read.All'],
      paging: pagesOf50,
      keep: keptMessage,
    },
    postChannelMessage: {
      description:
        'Begin a new thread in a channel, in the name of the user. Returns the id of the message. To answer a thread, use replyToChannelMessage.',
      input: z.strictObject({ teamId, channelId, ...postedMessage }),
      request: 'POST /teams/{teamId}/channels/{channelId}/messages',
      fixed: message,
      effect: 'unsafe',
      scopes: ['ChannelMessage.Send'],
      keep: keptMessage,
    },
    replyToChannelMessage: {
      description:
        'Answer a thread of a channel, in the name of the user. Returns the id of the reply. Does not begin a new thread.',
      input: z.strictObject({
        teamId,
        channelId,
        messageId: z.string().min(1).describe('Id of the first message of the thread'),
        body,
        importance,
      }),
      request: 'POST /teams/{teamId}/channels/{channelId}/messages/{messageId}/replies',
      fixed: message,
      effect: 'unsafe',
      scopes: ['ChannelMessage.Send'],
      keep: keptMessage,
    },
    listChats: {
      description:
        'List the chats of the user with their members: with one person, in groups and of meetings. Returns ids and topics, not the messages.',
      input: z.strictObject({
        filter: z.string().min(1).describe("OData, such as chatType eq 'oneOnOne'").optional(),
      }),
      request: 'GET /me/chats',
      rename: { filter: '$filter' },
      fixed: { $expand: 'members' },
      effect: 'read_only',
      scopes: [['Chat.ReadBasic', 'Chat.Read', 'Chat.ReadWrite']],
      paging: pagesOf50,
      keep: [
        ...['id', 'topic', 'chatType', 'members.displayName', 'members.email', 'lastUpdatedDateTime'],
        'webUrl',
      ],
    },
    sendChatMessage: {
      description:
        'Send a message to a chat, in the name of the user. Returns the id of the message. Does not create a chat: find it with listChats.',
      input: z.strictObject({ chatId, body, importance }),
      request: 'POST /chats/{chatId}/messages',
      fixed: message,
      effect: 'unsafe',
      scopes: [['ChatMessage.Send', 'Chat.ReadWrite']],
      keep: keptMessage,
    },
    listChatMessages: {
      description:
        'Read the messages of a chat, newest first. Returns text, author and time; files are links. For channels, use listChannelMessages.',
      input: z.strictObject({
        chatId,
        orderby: z
          .enum(['createdDateTime desc', 'lastModifiedDateTime desc'])
          .default('createdDateTime desc'),
        filter: z
          .string()
          .min(1)
          .describe('On the property of orderby, such as createdDateTime lt 2026-03-01T00:00:00Z')
          .optional(),
      }),
      request: 'GET /chats/{chatId}/messages',
      rename: { orderby: '$orderby', filter: '$filter' },
      effect: 'read_only',
      scopes: [['Chat.Read', 'Chat.ReadWrite']],
      paging: pagesOf50,
      keep: keptMessage,
    },
  },
});
