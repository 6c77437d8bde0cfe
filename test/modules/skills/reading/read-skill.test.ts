import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { skillBounds } from '../../../../src/domain/skill.ts';
import {
  readSkillArchive,
  readSkillFiles,
  type ReadSkill,
} from '../../../../src/modules/skills/reading/read-skill.ts';
import {
  packTarGz,
  packZip,
  refusalOf,
  teaFiles,
  toImport,
  toTarEntries,
  writeInstructions,
  type SkillFiles,
} from '../../../labs/skill-files.ts';

const read = (files: SkillFiles) => readSkillFiles(toImport(files));
const instructions = writeInstructions();

const refusalOfFiles = (files: SkillFiles) => refusalOf(() => read(files));
const refusalOfArchive = (archive: Buffer) => refusalOf(() => readSkillArchive(archive));

describe('a skill', () => {
  test.each<[string, () => ReadSkill]>([
    ['files', () => read(teaFiles)],
    ['files in a folder', () => readSkillFiles(toImport(inFolder('tea-making/')))],
    ['a ZIP archive', () => readSkillArchive(packZip(teaFiles))],
    ['a ZIP archive with a folder', () => readSkillArchive(packZip(teaFiles, 'tea-making/'))],
    ['a tar archive', () => readSkillArchive(packTarGz(toTarEntries(teaFiles, './')))],
    [
      'a tar archive with a folder',
      () =>
        readSkillArchive(
          packTarGz([
            { name: 'pax_global_header', type: 'g', content: '52 comment=' },
            { name: 'tea-making/', type: '5' },
            ...toTarEntries(teaFiles, 'tea-making/'),
          ]),
        ),
    ],
  ])('is read the same from %s', (_from, run) => {
    expect(run()).toEqual(read(teaFiles));
  });

  test('has its instructions, its fields as texts, and its files by path', () => {
    const fields =
      'license: MIT\nmetadata:\n  version: 1.0\nallowed-tools: Bash(git:*) Read\nother: [1, yes]\n';
    const skill = read({ ...teaFiles, 'SKILL.md': writeInstructions({ fields }) });
    expect(skill).toMatchObject({
      name: 'tea-making',
      description: 'Makes tea. Use when somebody is thirsty.',
      body: '# Tea\n\nBoil water. See references/leaves.md.',
    });
    expect(skill.frontMatter).toEqual({
      ...{ name: 'tea-making', description: 'Makes tea. Use when somebody is thirsty.', license: 'MIT' },
      ...{ metadata: { version: '1.0' }, 'allowed-tools': 'Bash(git:*) Read', other: ['1', 'yes'] },
    });
    expect(skill.files.map(({ path, mediaType, isText }) => [path, mediaType, isText])).toEqual([
      ['SKILL.md', 'text/markdown', true],
      ['assets/cup.png', 'image/png', false],
      ['references/leaves.md', 'text/markdown', true],
      ['scripts/boil.py', 'text/x-python', true],
    ]);
    expect(skill.bytes).toBe(skill.files.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  test('has the digest of the digests and paths of its files', () => {
    const { files, digest } = read(teaFiles);
    const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
    expect(digest).toBe(sha256(files.map((file) => `${sha256(file.content)} ${file.path}\n`).join('')));
    expect(read({ ...teaFiles, 'references/leaves.md': 'Other.' }).digest).not.toBe(digest);
    const { 'references/leaves.md': leaves = '', ...others } = teaFiles;
    expect(read({ ...others, 'references/herbs.md': leaves }).digest).not.toBe(digest);
  });

  test('leaves out what programs leave beside files', () => {
    const left = {
      '.DS_Store': 'x',
      '__MACOSX/._SKILL.md': 'x',
      'scripts/__pycache__/boil.pyc': 'x',
      '.git/HEAD': 'x',
    };
    expect(read({ ...teaFiles, ...left }).digest).toBe(read(teaFiles).digest);
  });

  test('may have a byte order mark and Windows line ends', () => {
    const text = `\ufeff${instructions.replaceAll('\n', '\r\n')}`;
    expect(read({ 'SKILL.md': text })).toMatchObject({
      name: 'tea-making',
      body: expect.stringContaining('Boil') as string,
    });
  });
});

describe('instructions are refused', () => {
  test.each([
    ['no front matter', '# Tea', /^SKILL\.md: expected front matter/],
    ['front matter without an end', '---\nname: tea', /^SKILL\.md: expected front matter/],
    ['no name', '---\ndescription: Tea.\n---\n', /^SKILL\.md: name: /],
    ['no description', '---\nname: tea\n---\n', /^SKILL\.md: description: /],
    ['an empty description', "---\nname: tea\ndescription: ' '\n---\n", /^SKILL\.md: description: /],
    ['a long description', writeInstructions({ description: 'x'.repeat(1025) }), /^SKILL\.md: description: /],
    [
      'a name in capitals',
      writeInstructions({ name: 'Tea' }),
      /^SKILL\.md: name: expected 1 to 64 lowercase/,
    ],
    ['a name with two hyphens', writeInstructions({ name: 'tea--making' }), /^SKILL\.md: name: /],
    ['a long name', writeInstructions({ name: 'x'.repeat(65) }), /^SKILL\.md: name: /],
    [
      'a long compatibility',
      writeInstructions({ fields: `compatibility: ${'x'.repeat(501)}\n` }),
      /compatibility: /,
    ],
    ['metadata without fields', writeInstructions({ fields: 'metadata: yes\n' }), /^SKILL\.md: metadata: /],
    ['wrong YAML', '---\nname: tea\ndescription: Use when: thirsty\n---\n', /is not valid YAML: /],
    ['aliases', writeInstructions({ fields: 'a: &a [x]\nb: *a\n' }), /is not valid YAML: /],
    ['a list', '---\n- name\n---\n', /expected fields with names/],
    [
      'long front matter',
      writeInstructions({ fields: `other: ${'x'.repeat(17_000)}\n` }),
      /at most 16384 bytes/,
    ],
    [
      'deep front matter',
      writeInstructions({ fields: `other: ${'['.repeat(30)}${']'.repeat(30)}\n` }),
      /too deep/,
    ],
    [
      'too long a text',
      writeInstructions({ body: 'x'.repeat(skillBounds.instructionBytes) }),
      /at most 262144 bytes/,
    ],
    ['a NUL character', `${instructions}\0`, /expected UTF-8 without NUL/],
  ])('with %s', (_what, text, refusal) => {
    expect(refusalOfFiles({ 'SKILL.md': text })).toMatch(refusal);
  });

  test('with another name than that of their folder', () => {
    const refusal = refusalOfFiles({ 'coffee/SKILL.md': instructions });
    expect(refusal).toBe('SKILL.md: name: expected the name of its folder, "coffee", found "tea-making"');
  });
});

describe('files are refused', () => {
  test.each([
    ['/etc/passwd', /absolute/],
    ['../outside.md', /leaves its folder/],
    ['references/../../outside.md', /leaves its folder/],
    ['references/./leaves.md', /leaves its folder/],
    ['references//leaves.md', /empty part/],
    ['references\\..\\..\\outside.md', /one of the characters/],
    ['C:/outside.md', /one of the characters/],
    ['references/\uff0e\uff0e/outside.md', /leaves its folder/],
    ['references/..\uff0foutside.md', /stands for a slash/],
    ['references/\u202egnp.md', /invisible/],
    ['references/a\u200b.md', /invisible/],
    ['references/a\0.md', /invisible/],
    ['references/leaves.md.', /ends with a space or dot/],
    ['references/nul.md', /name of a device/],
    ['a/'.repeat(10) + 'b.md', /more than 10 parts/],
    [`${'x'.repeat(256)}.md`, /longer than 255/],
  ])('at the path %j', (path, problem) => {
    expect(refusalOfFiles({ ...teaFiles, [path]: 'x' })).toMatch(problem);
    expect(refusalOfArchive(packZip({ ...teaFiles, [path]: 'x' }))).toMatch(problem);
  });

  test.each(['/etc/passwd', '../outside.md', 'a/../../outside.md', 'a\\b.md', 'a/\uff0e\uff0e/b.md'])(
    'at the path %j of a tar archive',
    (path) => {
      const archive = packTarGz(toTarEntries({ ...teaFiles, [path]: 'x' }));
      expect(refusalOfArchive(archive)).toMatch(/cannot be the path of a file/);
    },
  );

  test.each([
    ['References/Leaves.md', 'references/leaves.md'],
    ['caf\u0065\u0301.md', 'caf\u00e9.md'],
    ['\uff41.md', 'a.md'],
  ])('at the paths %j and %j, which some file systems take for the same', (one, other) => {
    expect(refusalOfFiles({ 'SKILL.md': instructions, [one]: 'x', [other]: 'x' })).toMatch(
      /is the same path as/,
    );
  });

  test('in a folder with the path of another file', () => {
    expect(refusalOfFiles({ 'SKILL.md': instructions, a: 'x', 'A/b.md': 'x' })).toMatch(
      /folder with the path of a file/,
    );
  });

  test('when there are too many, or they are too large', () => {
    const many = Object.fromEntries(Array.from({ length: 256 }, (_file, index) => [`${index}.md`, 'x']));
    expect(refusalOfFiles({ 'SKILL.md': instructions, ...many })).toMatch(/at most 256 files/);
    const large = new Uint8Array(skillBounds.fileBytes + 1);
    expect(refusalOfArchive(packZip({ ...teaFiles, 'assets/a.bin': large }))).toMatch(
      /^assets\/a\.bin: expected at most 1048576/,
    );
    const whole = new Uint8Array(skillBounds.fileBytes);
    const eight = Object.fromEntries(Array.from({ length: 8 }, (_file, index) => [`${index}.bin`, whole]));
    expect(refusalOfArchive(packZip({ ...teaFiles, ...eight }))).toMatch(/at most 8388608 bytes in all/);
  });

  test('without SKILL.md, and with several', () => {
    expect(refusalOfFiles({ 'skill.md': instructions })).toMatch(/expected a file SKILL\.md/);
    expect(refusalOfFiles({ 'deep/tea-making/SKILL.md': instructions })).toMatch(/expected a file SKILL\.md/);
    expect(refusalOfFiles({ 'a/SKILL.md': instructions, 'b/SKILL.md': instructions })).toMatch(
      /folders a, b/,
    );
    expect(refusalOfFiles({ 'tea-making/SKILL.md': instructions, 'README.md': 'x' })).toMatch(
      /^README\.md: expected all files/,
    );
  });

  test('with both contents, or none', () => {
    const refusal = /expected either text or base64/;
    expect(refusalOf(() => readSkillFiles({ files: [{ path: 'SKILL.md' }] }))).toMatch(refusal);
    const both = { path: 'SKILL.md', text: instructions, base64: '' };
    expect(refusalOf(() => readSkillFiles({ files: [both] }))).toMatch(refusal);
  });
});

function inFolder(folder: string): SkillFiles {
  return Object.fromEntries(Object.entries(teaFiles).map(([path, content]) => [folder + path, content]));
}
