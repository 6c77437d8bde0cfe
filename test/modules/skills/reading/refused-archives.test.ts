import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readSkillArchive } from '../../../../src/modules/skills/reading/read-skill.ts';
import {
  packTarGz,
  packZip,
  refusalOf,
  teaFiles,
  toTarEntries,
  writeInstructions,
} from '../../../labs/skill-files.ts';

const instructions = writeInstructions();
const refusalOfArchive = (archive: Buffer) => refusalOf(() => readSkillArchive(archive));

describe('archives are refused', () => {
  const skill = { 'SKILL.md': strToU8(instructions) };
  const link = 0o120777 << 16;

  test('of another kind', () => {
    expect(refusalOfArchive(Buffer.from('Rar!'))).toMatch(
      /expected a ZIP archive, or a tar archive with gzip/,
    );
    expect(refusalOfArchive(gzipSync('x'))).toMatch(/expected a file SKILL\.md/);
    expect(refusalOfArchive(Buffer.from([0x1f, 0x8b, 1, 2]))).toMatch(/it is damaged/);
  });

  test('with links', () => {
    const zip = zipSync({ ...skill, 'notes.md': [strToU8('/etc/passwd'), { os: 3, attrs: link >>> 0 }] });
    expect(refusalOfArchive(Buffer.from(zip))).toMatch(/^notes\.md: is a link/);
    for (const type of ['1', '2', '3', '6'])
      expect(refusalOfArchive(packTarGz([...toTarEntries(teaFiles), { name: 'notes.md', type }]))).toMatch(
        /is a link/,
      );
  });

  test('that unpack to more than they say', () => {
    const zip = packZip({ 'SKILL.md': instructions, 'assets/a.txt': 'x'.repeat(1_000_000) });
    const central = zip.lastIndexOf(Buffer.from('assets/a.txt')) - 46;
    zip.writeUInt32LE(10, central + 24);
    expect(refusalOfArchive(zip)).toMatch(/assets\/a\.txt is damaged, or larger than it says/);
  });

  test('that unpack to far more than a skill may have', () => {
    const bomb = packTarGz([
      ...toTarEntries(teaFiles),
      { name: 'a.bin', content: new Uint8Array(64 * 1024 * 1024) },
    ]);
    expect(bomb.length).toBeLessThan(128 * 1024);
    expect(refusalOfArchive(bomb)).toMatch(/unpacks to more than 10485760 bytes/);
    const zeros = new Uint8Array(64 * 1024 * 1024);
    expect(refusalOfArchive(packZip({ ...teaFiles, 'a.bin': zeros }))).toMatch(/^a\.bin: expected at most/);
  });

  test('with changed bytes', () => {
    const zip = Buffer.from(zipSync({ 'SKILL.md': [strToU8(instructions), { level: 0 }] }));
    zip.writeUInt8(0x41, zip.indexOf('Boil'));
    expect(refusalOfArchive(zip)).toMatch(/SKILL\.md is damaged/);
  });

  test('that end too early', () => {
    const zip = packZip(teaFiles);
    const end = zip.subarray(zip.length - 22);
    expect(refusalOfArchive(zip.subarray(0, zip.length - 30))).toMatch(/cannot be read/);
    expect(refusalOfArchive(Buffer.concat([zip.subarray(0, 40), end]))).toMatch(/cannot be read/);
    const tar = packTarGz([{ name: 'SKILL.md', content: instructions, size: '00000777777' }]);
    expect(refusalOfArchive(tar)).toMatch(/it ends too early/);
  });

  test('with too many entries, folders among them', () => {
    const folders = Object.fromEntries(
      Array.from({ length: 2001 }, (_folder, index) => [`__MACOSX/${index}`, 'x']),
    );
    expect(refusalOfArchive(packZip({ 'SKILL.md': instructions, ...folders }))).toMatch(
      /at most 2000 entries/,
    );
  });

  test('with sizes and names that cannot be read', () => {
    const strange = packTarGz([{ name: 'SKILL.md', content: instructions, size: '-0000000001' }]);
    expect(refusalOfArchive(strange)).toMatch(/the size of a file cannot be read/);
    for (const content of ['999 path=a\n', 'x path=a\n', '9999999999999'])
      expect(refusalOfArchive(packTarGz([{ name: 'h', type: 'x', content }]))).toMatch(
        /the name of a file cannot be read/,
      );
    const named = packTarGz([
      { name: 'h', type: 'x', content: '22 path=../escaped.md\n' },
      { name: 'SKILL.md', content: instructions },
    ]);
    expect(refusalOfArchive(named)).toMatch(/leaves its folder/);
    const long = packTarGz([
      { name: '././@LongLink', type: 'L', content: '../escaped.md\0' },
      { name: 'SKILL.md', content: instructions },
    ]);
    expect(refusalOfArchive(long)).toMatch(/leaves its folder/);
  });

  test('that are encrypted', () => {
    const zip = packZip(teaFiles);
    const central = zip.lastIndexOf(Buffer.from('SKILL.md')) - 46;
    zip.writeUInt16LE(zip.readUInt16LE(central + 8) | 1, central + 8);
    expect(refusalOfArchive(zip)).toMatch(/^SKILL\.md: is encrypted/);
  });
});
