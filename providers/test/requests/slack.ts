import type { ProviderRequests } from './request-case.ts';

export const slackRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  contentType: 'application/x-www-form-urlencoded',
  cases: {
    sendMessage: {
      input: {
        channel: 'C024BE91L',
        text: 'Tea & cake at 4 pm?',
        thread_ts: '1712345678.000100',
        reply_broadcast: true,
        blocks: [{ type: 'divider' }],
      },
      method: 'POST',
      target: '/chat.postMessage',
      body:
        'channel=C024BE91L&text=Tea+%26+cake+at+4+pm%3F&thread_ts=1712345678.000100&reply_broadcast=true' +
        '&blocks=%5B%7B%22type%22%3A%22divider%22%7D%5D',
    },
    updateMessage: {
      input: { channel: 'C024BE91L', ts: '1712345678.000100', text: 'Coffee' },
      method: 'POST',
      target: '/chat.update',
      body: 'channel=C024BE91L&ts=1712345678.000100&text=Coffee',
    },
    deleteMessage: {
      destructive: true,
      input: { channel: 'C024BE91L', ts: '1712345678.000100' },
      method: 'POST',
      target: '/chat.delete',
      body: 'channel=C024BE91L&ts=1712345678.000100',
    },
    listChannels: {
      input: { types: 'public_channel,private_channel', max_items: 20, continue_from: 'dGVhbTpD' },
      method: 'GET',
      target:
        '/conversations.list?types=public_channel%2Cprivate_channel&exclude_archived=true&limit=20&cursor=dGVhbTpD',
    },
    getChannelHistory: {
      input: { channel: 'C024BE91L', oldest: '1712345678.000100', inclusive: true },
      method: 'GET',
      target: '/conversations.history?channel=C024BE91L&oldest=1712345678.000100&inclusive=true&limit=100',
    },
    getThreadReplies: {
      input: { channel: 'C024BE91L', ts: '1712345678.000100', max_items: 5 },
      method: 'GET',
      target: '/conversations.replies?channel=C024BE91L&ts=1712345678.000100&limit=5',
    },
    findUserByEmail: {
      input: { email: 'ana+test@example.com' },
      method: 'GET',
      target: '/users.lookupByEmail?email=ana%2Btest%40example.com',
    },
    addReaction: {
      input: { channel: 'C024BE91L', timestamp: '1712345678.000100', name: 'thumbsup' },
      method: 'POST',
      target: '/reactions.add',
      body: 'channel=C024BE91L&timestamp=1712345678.000100&name=thumbsup',
    },
  },
};
