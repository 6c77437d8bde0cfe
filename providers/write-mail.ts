import { createHash } from 'node:crypto';
import type { StoredFile } from '../src/domain/tool.ts';

/** A mail as an agent writes it. Addresses, subject and message ids have no line breaks. */
export interface NewMail {
  to: readonly string[];
  cc?: readonly string[] | undefined;
  bcc?: readonly string[] | undefined;
  subject: string;
  body: string;
  /** @default 'text' */
  format?: 'text' | 'html' | undefined;
  /** The Message-ID of the mail that this one answers, with its angle brackets. */
  inReplyTo?: string | undefined;
  attachments?: readonly StoredFile[] | undefined;
}

/** Writes a mail in the format of RFC 5322, without the sender and the date, which the vendor adds. */
export function writeMail({ attachments = [], ...mail }: NewMail): Buffer {
  const text = toTextPart(mail);
  const parts = [text, ...attachments.map(toAttachment)];
  const boundary = `holdfast-${createHash('sha256').update(parts.join('')).digest('hex').slice(0, 32)}`;
  const content =
    attachments.length === 0
      ? text
      : [
          `Content-Type: multipart/mixed; boundary="${boundary}"`,
          '',
          ...parts.flatMap((part) => [`--${boundary}`, part]),
          `--${boundary}--`,
          '',
        ].join('\r\n');
  return Buffer.from([...listHeaders(mail), 'MIME-Version: 1.0', content].join('\r\n'));
}

function listHeaders({ to, cc = [], bcc = [], subject, inReplyTo }: NewMail): string[] {
  const lines: [string, string][] = [
    ['To', to.join(',\r\n ')],
    ['Cc', cc.join(',\r\n ')],
    ['Bcc', bcc.join(',\r\n ')],
    ['Subject', encodeWords(subject)],
    ['In-Reply-To', inReplyTo ?? ''],
    ['References', inReplyTo ?? ''],
  ];
  return lines.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`);
}

/** Encodes text that is not ASCII as words of at most 75 characters (RFC 2047), each of whole characters. */
function encodeWords(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && text.length < 900) return text;
  const words = [''];
  for (const character of text) {
    const last = words.length - 1;
    const longer = `${words[last] ?? ''}${character}`;
    if (Buffer.byteLength(longer) > 42) words.push(character);
    else words[last] = longer;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

function toTextPart({ body, format = 'text' }: Omit<NewMail, 'attachments'>): string {
  const type = `text/${format === 'html' ? 'html' : 'plain'}; charset=utf-8`;
  return toPart([`Content-Type: ${type}`], Buffer.from(body));
}

function toAttachment({ name, mediaType, bytes }: StoredFile): string {
  const fileName = encodeURIComponent(name ?? 'file').replaceAll("'", '%27');
  return toPart(
    [`Content-Type: ${mediaType}`, `Content-Disposition: attachment; filename*=UTF-8''${fileName}`],
    bytes,
  );
}

function toPart(headers: string[], bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return [...headers, 'Content-Transfer-Encoding: base64', '', ...lines].join('\r\n');
}
