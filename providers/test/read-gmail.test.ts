import { expect, test } from 'vitest';
import { readGmailMessage, readGmailThread } from '../read-gmail.ts';

const encode = (text: string) => Buffer.from(text).toString('base64url');
const headers = [
  { name: 'from', value: 'Ana <ana@example.com>' },
  { name: 'Subject', value: 'Tea' },
  { name: 'Message-ID', value: '<1@mail.example.com>' },
  { name: 'X-Spam', value: 'no' },
];
const message = {
  id: '2',
  threadId: '1',
  labelIds: ['INBOX'],
  snippet: 'Come',
  payload: {
    mimeType: 'multipart/mixed',
    headers,
    parts: [
      {
        mimeType: 'multipart/alternative',
        parts: [
          { mimeType: 'text/plain', filename: '', body: { data: encode('Come at four – grüße') } },
          { mimeType: 'text/html', filename: '', body: { data: encode('<p>Come</p>') } },
        ],
      },
      { mimeType: 'text/plain', filename: 'tea.txt', body: { attachmentId: 'x', size: 11 } },
    ],
  },
};
const read = {
  id: '2',
  threadId: '1',
  labelIds: ['INBOX'],
  snippet: 'Come',
  From: 'Ana <ana@example.com>',
  Subject: 'Tea',
  'Message-ID': '<1@mail.example.com>',
  text: 'Come at four – grüße',
  attachments: [{ name: 'tea.txt', mediaType: 'text/plain', bytes: 11 }],
};

test('a message has its headers, its plain text and the names of its attachments', () => {
  expect(readGmailMessage(message)).toEqual(read);
});

test('a message without plain text has its HTML', () => {
  const payload = { mimeType: 'text/html', headers: [], body: { data: encode('<p>Come</p>') } };
  expect(readGmailMessage({ id: '2', payload })).toEqual({ id: '2', html: '<p>Come</p>' });
});

test('a thread has its messages', () => {
  expect(readGmailThread({ id: '1', historyId: '9', messages: [message] })).toEqual({
    id: '1',
    messages: [read],
  });
});

test.each([null, 'gone', {}, { ok: true }])('an answer of another kind stays as it is', (answer) => {
  expect(readGmailMessage(answer)).toEqual(answer);
  expect(readGmailThread(answer)).toEqual(answer);
});
