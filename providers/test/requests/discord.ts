import type { ProviderRequests } from './request-case.ts';

const channel_id = '41771983423143937';
const message_id = '334385199974967042';

export const discordRequests: ProviderRequests = {
  headers: {
    accept: 'application/json',
    'user-agent': 'DiscordBot (holdfast, 0.1)',
  },
  cases: {
    sendMessage: {
      input: {
        channel_id,
        content: 'Tea at four?',
        embeds: [{ title: 'Menu', fields: [{ name: 'Cake', value: 'Lemon', inline: true }] }],
        message_reference: { message_id },
      },
      method: 'POST',
      target: `/channels/${channel_id}/messages`,
      body:
        '{"content":"Tea at four?","embeds":[{"title":"Menu","fields":[{"name":"Cake","value":"Lemon","inline":true}]}],' +
        `"message_reference":{"message_id":"${message_id}"},"allowed_mentions":{"parse":["users"]}}`,
    },
    listMessages: {
      input: { channel_id, max_items: 20, continue_from: message_id },
      method: 'GET',
      target: `/channels/${channel_id}/messages?limit=20&before=${message_id}`,
    },
    editMessage: {
      input: { channel_id, message_id, content: 'At five', allowed_mentions: { parse: [] } },
      method: 'PATCH',
      target: `/channels/${channel_id}/messages/${message_id}`,
      body: '{"content":"At five","allowed_mentions":{"parse":[]}}',
    },
    deleteMessage: {
      destructive: true,
      input: { channel_id, message_id },
      method: 'DELETE',
      target: `/channels/${channel_id}/messages/${message_id}`,
    },
    addReaction: {
      input: { channel_id, message_id, emoji: '👍' },
      method: 'PUT',
      target: `/channels/${channel_id}/messages/${message_id}/reactions/%F0%9F%91%8D/@me`,
    },
    listChannels: {
      input: { guild_id: '197038439483310086' },
      method: 'GET',
      target: '/guilds/197038439483310086/channels',
    },
    listServers: {
      input: { with_counts: true },
      method: 'GET',
      target: '/users/@me/guilds?with_counts=true&limit=100',
    },
    listMembers: {
      input: { guild_id: '197038439483310086', max_items: 500 },
      method: 'GET',
      target: '/guilds/197038439483310086/members?limit=500',
    },
  },
};
