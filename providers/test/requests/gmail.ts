import { caseFileId, type ProviderRequests } from './request-case.ts';

const letter = [
  'To: ana@example.com,',
  ' bo@example.com',
  'Subject: Tea at four',
  'In-Reply-To: <1@mail.example.com>',
  'References: <1@mail.example.com>',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  'Q29tZS4=',
].join('\r\n');
const raw = Buffer.from(letter).toString('base64url');

export const gmailRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listMessages: {
      input: { q: 'from:ana is:unread', labelIds: ['INBOX', 'IMPORTANT'], max_items: 20 },
      method: 'GET',
      target: '/users/me/messages?q=from%3Aana+is%3Aunread&labelIds=INBOX&labelIds=IMPORTANT&maxResults=20',
    },
    getMessage: { input: { id: '18c2f' }, method: 'GET', target: '/users/me/messages/18c2f' },
    getThread: { input: { id: '18c2e' }, method: 'GET', target: '/users/me/threads/18c2e' },
    listLabels: { input: {}, method: 'GET', target: '/users/me/labels' },
    sendMessage: {
      input: {
        to: ['ana@example.com', 'bo@example.com'],
        subject: 'Tea at four',
        body: 'Come.',
        threadId: '18c2e',
        inReplyTo: '<1@mail.example.com>',
      },
      method: 'POST',
      target: '/users/me/messages/send',
      body: `{"raw":"${raw}","threadId":"18c2e"}`,
    },
    createDraft: {
      input: {
        to: ['ana@example.com'],
        subject: 'Tea',
        body: '<b>Tea</b>',
        format: 'html',
        attachments: [caseFileId],
      },
      method: 'POST',
      target: '/users/me/drafts',
      bodyHas: ['{"message":{"raw":"VG86IGFuYUBleGFtcGxlLmNvbQ0KU3ViamVjdDogVGVhDQ', '"}}'],
    },
    modifyLabels: {
      input: { id: '18c2f', addLabelIds: ['Label_7'], removeLabelIds: ['INBOX'] },
      method: 'POST',
      target: '/users/me/messages/18c2f/modify',
      body: '{"addLabelIds":["Label_7"],"removeLabelIds":["INBOX"]}',
      destructive: true,
    },
    trashMessage: {
      input: { id: '18c2f' },
      method: 'POST',
      target: '/users/me/messages/18c2f/trash',
      destructive: true,
    },
  },
};
