import { gunzipSync } from 'node:zlib';
import { toEntryName, type ArchiveEntry, type TakeEntry } from './archive-entry.ts';
import { refuseSkill } from './skill-refusal.ts';

const blockBytes = 512;

/** The longest name in a record before a file, in bytes. */
const longestRecord = 64 * 1024;

/**
 * Reads the files of a tar archive that is packed with gzip, in the formats ustar, pax and GNU.
 * @param mostBytes the maximum number of bytes that it is unpacked to
 * @throws HoldfastError `INVALID_INPUT`
 */
export function readTarGz(packed: Uint8Array, mostBytes: number, take: TakeEntry): ArchiveEntry[] {
  const archive = gunzip(packed, mostBytes);
  const entries: ArchiveEntry[] = [];
  let longName: string | null = null;
  for (let place = 0; place + blockBytes <= archive.length;) {
    const header = archive.subarray(place, place + blockBytes);
    if (header.every((byte) => byte === 0)) break;
    const { name, size, type } = readHeader(header);
    const start = place + blockBytes;
    if (start + size > archive.length) throw broken('it ends too early');
    const bytes = archive.subarray(start, start + size);
    place = start + Math.ceil(size / blockBytes) * blockBytes;
    if (type === 'L' || type === 'x') {
      if (size > longestRecord) throw broken('it has a name that is too long');
      longName = type === 'L' ? toEntryName(untilNul(bytes)) : (readPaxPath(bytes) ?? longName);
      continue;
    }
    // A record for the whole archive names no file.
    if (type === 'g') continue;
    const path: string = longName ?? name;
    longName = null;
    if (type === '5' || path.endsWith('/')) continue;
    if (type !== '0' && type !== '\0') throw refuseSkill(path, 'is a link or a device: expected a file');
    if (take(path, size)) entries.push({ name: path, bytes });
  }
  return entries;
}

function gunzip(packed: Uint8Array, maxOutputLength: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw broken(isTooLarge ? `it unpacks to more than ${maxOutputLength} bytes` : 'it is damaged');
  }
}

function readHeader(header: Buffer) {
  const name = toEntryName(untilNul(header.subarray(0, 100)));
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar && header[262] === 0 ? toEntryName(untilNul(header.subarray(345, 500))) : '';
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: readOctal(header.subarray(124, 136)),
    type: String.fromCharCode(header[156] ?? 0),
  };
}

function readOctal(field: Buffer): number {
  const text = field
    .toString('latin1')
    .replace(/[\0 ]+$/u, '')
    .trim();
  if (!/^[0-7]{1,11}$/u.test(text)) throw broken('the size of a file cannot be read');
  return Number.parseInt(text, 8);
}

/** The path in the records `length name=value` before a file. */
function readPaxPath(records: Buffer): string | null {
  let path: string | null = null;
  for (let place = 0; place < records.length;) {
    const space = records.indexOf(0x20, place);
    const length = Number(records.toString('latin1', place, space));
    if (space < 0 || !Number.isInteger(length) || length <= space - place || place + length > records.length)
      throw broken('the name of a file cannot be read');
    const [name, value] = splitRecord(records.subarray(space + 1, place + length - 1));
    if (name === 'path') path = value;
    if (name === 'size') throw broken('the size of a file cannot be read');
    place += length;
  }
  return path;
}

function splitRecord(record: Buffer): [string, string] {
  const equals = record.indexOf(0x3d);
  return [record.toString('latin1', 0, equals), toEntryName(record.subarray(equals + 1))];
}

function untilNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function broken(problem: string) {
  return refuseSkill('file', `the tar archive cannot be read: ${problem}`);
}
