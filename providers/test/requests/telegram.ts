import { caseFileId, type ProviderRequests } from './request-case.ts';

const reply_markup = { inline_keyboard: [[{ text: 'Yes', callback_data: 'yes' }]] };

export const telegramRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    sendMessage: {
      input: { chat_id: -1001234567890, text: '<b>Tea</b>', parse_mode: 'HTML', reply_markup },
      method: 'POST',
      target: '/sendMessage',
      body:
        '{"chat_id":-1001234567890,"text":"<b>Tea</b>","parse_mode":"HTML",' +
        '"reply_markup":{"inline_keyboard":[[{"text":"Yes","callback_data":"yes"}]]}}',
    },
    sendPhoto: {
      input: { chat_id: '@teahouse', link: 'https://example.com/tea.png', caption: 'Tea', reply_markup },
      method: 'POST',
      target: '/sendPhoto',
      contentType: 'multipart/form-data',
      bodyHas: [
        'name="chat_id"\r\n\r\n@teahouse\r\n',
        'name="photo"\r\n\r\nhttps://example.com/tea.png\r\n',
        'name="caption"\r\n\r\nTea\r\n',
        'name="reply_markup"\r\n\r\n{"inline_keyboard":[[{"text":"Yes","callback_data":"yes"}]]}\r\n',
      ],
    },
    sendDocument: {
      input: { chat_id: 42, file: caseFileId, caption: 'The menu', reply_parameters: { message_id: 7 } },
      method: 'POST',
      target: '/sendDocument',
      contentType: 'multipart/form-data',
      bodyHas: [
        'name="chat_id"\r\n\r\n42\r\n',
        'name="document"; filename="tea.txt"\r\nContent-Type: text/plain\r\n\r\nTea at four\r\n',
        'name="caption"\r\n\r\nThe menu\r\n',
        'name="reply_parameters"\r\n\r\n{"message_id":7}\r\n',
      ],
    },
    editMessageText: {
      input: { chat_id: 42, message_id: 7, text: 'At five' },
      method: 'POST',
      target: '/editMessageText',
      body: '{"chat_id":42,"message_id":7,"text":"At five"}',
    },
    deleteMessage: {
      destructive: true,
      input: { chat_id: 42, message_id: 7 },
      method: 'POST',
      target: '/deleteMessage',
      body: '{"chat_id":42,"message_id":7}',
    },
    getUpdates: {
      input: { offset: 9001, limit: 10, allowed_updates: ['message'] },
      method: 'POST',
      target: '/getUpdates',
      body: '{"offset":9001,"limit":10,"allowed_updates":["message"]}',
    },
    getChat: {
      input: { chat_id: '@teahouse' },
      method: 'POST',
      target: '/getChat',
      body: '{"chat_id":"@teahouse"}',
    },
    answerCallbackQuery: {
      input: { callback_query_id: '4382bfdwdsb323b2d9', text: 'Noted' },
      method: 'POST',
      target: '/answerCallbackQuery',
      body: '{"callback_query_id":"4382bfdwdsb323b2d9","text":"Noted"}',
    },
  },
};
