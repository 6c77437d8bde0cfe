import { expect, test } from 'vitest';
import { writeMail } from '../write-mail.ts';

test('a mail has its headers, and its text in lines of base64', () => {
  const body = 'Come at four. '.repeat(8);
  const mail = writeMail({
    to: ['ana@example.com'],
    bcc: ['bo@example.com'],
    subject: 'Tea',
    body,
  }).toString();
  const [head = '', text = ''] = mail.split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual([
    'To: ana@example.com',
    'Bcc: bo@example.com',
    'Subject: Tea',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ]);
  expect(text.split('\r\n').every((line) => line.length <= 76)).toBe(true);
  expect(Buffer.from(text, 'base64').toString()).toBe(body);
});

test('a subject that is not ASCII is encoded in words of whole characters', () => {
  const subject = 'Grüße 🫖 '.repeat(12);
  const mail = writeMail({ to: ['ana@example.com'], subject, body: '' }).toString();
  const words = Array.from(mail.matchAll(/=\?UTF-8\?B\?([^?]+)\?=/g), ([whole, word = '']) => {
    expect(whole.length).toBeLessThanOrEqual(75);
    return Buffer.from(word, 'base64').toString();
  });
  expect(words.length).toBeGreaterThan(1);
  expect(words.join('')).toBe(subject);
});

test('attachments are parts after the text, with their names and types', () => {
  const file = { name: 'té "1".txt', mediaType: 'text/plain', bytes: Buffer.from('Tea at four') };
  const mail = writeMail({
    to: ['ana@example.com'],
    subject: 'Tea',
    body: '<p>Hi</p>',
    format: 'html',
    attachments: [file],
  }).toString();
  const boundary = /boundary="([^"]+)"/.exec(mail)?.[1] ?? '';
  const [, text, attachment, end] = mail.split(`--${boundary}`);
  expect(text).toContain('Content-Type: text/html; charset=utf-8\r\n');
  expect(text).toContain(`\r\n\r\n${Buffer.from('<p>Hi</p>').toString('base64')}\r\n`);
  expect(attachment).toContain("filename*=UTF-8''t%C3%A9%20%221%22.txt\r\n");
  expect(attachment).toContain(`\r\n\r\n${Buffer.from('Tea at four').toString('base64')}\r\n`);
  expect(end).toBe('--\r\n');
});
