import { createHash } from 'node:crypto';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { StoredFile } from '../../domain/tool.ts';
import type { BodyFormat, BodyValue } from './define-operation.ts';

/** A body as it is sent, with its media type. */
export interface EncodedBody {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

type Fields = Readonly<Record<string, BodyValue>>;

/** Returns whether a value of a body is a stored file. */
function isFile(value: unknown): value is StoredFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;
}

/** Encodes the fields of a body; the value of `bodyField` alone is the whole of a body in JSON. */
export function encodeBody(format: BodyFormat, fields: Fields, bodyField?: string): EncodedBody {
  const form = 'application/x-www-form-urlencoded';
  switch (format) {
    case 'json':
      return {
        type: 'application/json',
        body: JSON.stringify(bodyField === undefined ? fields : (fields[bodyField] ?? null), withBase64),
      };
    case 'form':
      return { type: form, body: new URLSearchParams(toPairs(fields)).toString() };
    case 'repeated_form':
      return { type: form, body: new URLSearchParams(listRepeatedPairs(fields)).toString() };
    case 'nested_form':
      return { type: form, body: new URLSearchParams(listNestedPairs(fields)).toString() };
    case 'multipart':
      return encodeMultipart(fields);
    case 'related':
      return encodeRelated(fields);
    case 'raw':
      return encodeRaw(fields);
  }
}

function withBase64(_name: string, value: unknown): unknown {
  return isFile(value) ? Buffer.from(value.bytes).toString('base64') : value;
}

/** Encodes texts as they are, all other values as JSON. */
function toPairs(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, toText(value)]],
  );
}

/** A list gets a pair for each of its values. */
function listRepeatedPairs(fields: Fields): [string, string][] {
  return toPairs(fields).flatMap(([name, text]): [string, string][] => {
    const value = fields[name];
    return Array.isArray(value) ? value.map((one: BodyValue) => [name, toText(one)]) : [[name, text]];
  });
}

function toText(value: BodyValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, withBase64);
}

function listNestedPairs(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : toNestedPairs(name, value as JsonValue),
  );
}

/** Encodes a value as pairs with brackets: `items[0][price]`. */
export function toNestedPairs(name: string, value: JsonValue): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((one, index) => toNestedPairs(`${name}[${index}]`, one));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, one]) => toNestedPairs(`${name}[${key}]`, one));
  // Such APIs remove a value when they get an empty text.
  return [[name, value === null ? '' : String(value)]];
}

function encodeMultipart(fields: Fields): EncodedBody {
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : (isFiles(value) ? [value].flat() : [value]).map((one) => toPart(name, one)),
  );
  return joinParts('form-data', parts);
}

/** The boundary comes from the content, so that a repeated call sends the same bytes. */
function joinParts(kind: 'form-data' | 'related', parts: readonly Buffer[]): EncodedBody {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  const boundary = `holdfast-${hash.digest('hex').slice(0, 32)}`;
  const lines = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]);
  const body = Buffer.concat([...lines, Buffer.from(`--${boundary}--\r\n`)]);
  return { type: `multipart/${kind}; boundary=${boundary}`, body };
}

function isFiles(value: BodyValue): value is StoredFile | StoredFile[] {
  return isFile(value) || (Array.isArray(value) && value.length > 0 && value.every(isFile));
}

function toPart(name: string, value: BodyValue): Buffer {
  const disposition = `Content-Disposition: form-data; name="${escapeName(name)}"`;
  if (!isFile(value)) return Buffer.from(`${disposition}\r\n\r\n${toText(value)}`);
  const head = `${disposition}; filename="${escapeName(value.name ?? 'file')}"\r\nContent-Type: ${value.mediaType}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), value.bytes]);
}

/** Escapes as browsers do: https://html.spec.whatwg.org/#multipart-form-data */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** RFC 2387, with a JSON object as its root. */
function encodeRelated(fields: Fields): EncodedBody {
  const file = findFile(fields);
  const rest = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== file));
  const root = `Content-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(rest)}`;
  const head = Buffer.from(`Content-Type: ${file.mediaType}\r\n\r\n`);
  return joinParts('related', [Buffer.from(root), Buffer.concat([head, file.bytes])]);
}

function encodeRaw(fields: Fields): EncodedBody {
  const text = Object.values(fields).find((value) => typeof value === 'string');
  if (text !== undefined) return { type: 'text/plain; charset=utf-8', body: text };
  return { type: 'application/octet-stream', body: Buffer.from(findFile(fields).bytes) };
}

function findFile(fields: Fields): StoredFile {
  const file = Object.values(fields).find(isFile);
  if (file) return file;
  throw new Error('a raw or related body has one file');
}
