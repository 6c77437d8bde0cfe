import type { ProviderRequests } from './request-case.ts';

const teamId = 'fbe2bf47-16c8-47cf-b4a5-4b9b187c508b';
const channelId = '19:4a95f7d8db4c4e7fae857bcebe0623e6@thread.tacv2';
const chatId = '19:2da4c29f6d7041eca70b638b43d45437@thread.v2';
const channel = `/teams/${teamId}/channels/19%3A4a95f7d8db4c4e7fae857bcebe0623e6%40thread.tacv2`;
const chat = '/chats/19%3A2da4c29f6d7041eca70b638b43d45437%40thread.v2';

/** The body of a message with one text. */
function toMessage(content: string, contentType: string, more = '') {
  const body = `{"@odata.type":"#microsoft.graph.itemBody","content":"${content}","contentType":"${contentType}"}`;
  return `{"@odata.type":"#microsoft.graph.chatMessage","body":${body}${more}}`;
}

export const microsoftTeamsRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listTeams: { input: {}, method: 'GET', target: '/me/joinedTeams' },
    listChannels: {
      input: { teamId, filter: "membershipType eq 'private'" },
      method: 'GET',
      target: `/teams/${teamId}/channels?%24filter=membershipType+eq+%27private%27`,
    },
    listChannelMessages: {
      input: { teamId, channelId, max_items: 3 },
      method: 'GET',
      target: `${channel}/messages?%24top=3`,
    },
    postChannelMessage: {
      input: { teamId, channelId, body: { content: '<b>Tea</b>', contentType: 'html' }, subject: 'Four' },
      method: 'POST',
      target: `${channel}/messages`,
      body: toMessage('<b>Tea</b>', 'html', ',"subject":"Four"'),
    },
    replyToChannelMessage: {
      input: { teamId, channelId, messageId: '1590776551682', body: { content: 'Gladly' } },
      method: 'POST',
      target: `${channel}/messages/1590776551682/replies`,
      body: toMessage('Gladly', 'text'),
    },
    listChats: {
      input: { filter: "chatType eq 'group'" },
      method: 'GET',
      target: '/me/chats?%24expand=members&%24filter=chatType+eq+%27group%27&%24top=50',
    },
    sendChatMessage: {
      input: { chatId, body: { content: 'Tea?' }, importance: 'high' },
      method: 'POST',
      target: `${chat}/messages`,
      body: toMessage('Tea?', 'text', ',"importance":"high"'),
    },
    listChatMessages: {
      input: { chatId, filter: 'createdDateTime lt 2026-03-01T00:00:00Z' },
      method: 'GET',
      target: `${chat}/messages?%24orderby=createdDateTime+desc&%24filter=createdDateTime+lt+2026-03-01T00%3A00%3A00Z&%24top=50`,
    },
  },
};
