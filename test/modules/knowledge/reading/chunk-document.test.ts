import { describe, expect, test } from 'vitest';
import { chunkDocument } from '../../../../src/modules/knowledge/reading/chunk-document.ts';
import type { DocumentPart } from '../../../../src/modules/knowledge/reading/document-part.ts';

const chunking = { maxCharacters: 200, overlapCharacters: 0 };

function markdown(text: string): DocumentPart[] {
  return [{ text, format: 'markdown', page: null }];
}

function sentence(number: number): string {
  return `This is sentence number ${number}, and it ends here.`;
}

function sentences(count: number): string {
  return Array.from({ length: count }, (_, index) => sentence(index + 1)).join(' ');
}

describe('headings', () => {
  test('are added to each chunk below them, and no chunk spans two of them', () => {
    const chunks = chunkDocument(
      markdown(
        'Before.\n\n# Guide\n\nIntro.\n\n## Setup ##\n\nInstall it.\n\nUsage\n-----\n\nRun it.\n\n# Other\n\nEnd.',
      ),
      chunking,
    );
    expect(chunks.map(({ headings, text }) => [headings, text])).toEqual([
      [[], 'Before.'],
      [['Guide'], 'Intro.'],
      [['Guide', 'Setup'], 'Install it.'],
      [['Guide', 'Usage'], 'Run it.'],
      [['Other'], 'End.'],
    ]);
  });

  test('lose their marks, and one without text below is kept as text', () => {
    const chunks = chunkDocument(
      markdown('# The **bold** [link](https://example.org)\n\n## Empty\n\n## `Code`\n\nText.'),
      chunking,
    );
    expect(chunks).toEqual([
      { headings: ['The bold link'], text: 'Empty', page: null },
      { headings: ['The bold link', 'Code'], text: 'Text.', page: null },
    ]);
  });

  test('are not detected within code, at a number sign without a space, or at a line under a list', () => {
    const text = '```sh\n# not a heading\n```\n\n#hashtag\n\n- item\n---';
    expect(chunkDocument(markdown(text), chunking)).toEqual([{ headings: [], page: null, text }]);
  });
});

describe('text', () => {
  test('is joined up to the limit, and split between sentences only', () => {
    const chunks = chunkDocument(markdown(sentences(12)), chunking);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text } of chunks) {
      expect(text.length).toBeLessThanOrEqual(200);
      expect(text).toMatch(/^This is .*ends here\.$/);
    }
    expect(chunks.map(({ text }) => text).join(' ')).toBe(sentences(12));
  });

  test('with wrapped lines is split between sentences too, and list items stay lines', () => {
    const wrapped = sentences(8).replaceAll(', and', ',\nand');
    for (const { text } of chunkDocument(markdown(wrapped), chunking))
      expect(text).toMatch(/^This is [^]*ends here\.$/);
    const list = Array.from({ length: 20 }, (_, index) => `- Item ${index} without a full stop`).join('\n');
    const chunks = chunkDocument(markdown(list), chunking);
    expect(chunks.map(({ text }) => text).join('\n')).toBe(list);
  });

  test('without sentence ends is split between words, and a very long word between characters', () => {
    const words = chunkDocument(markdown('word '.repeat(200).trim()), chunking);
    expect(words.every(({ text }) => text.length <= 200 && /^(word ?)+$/.test(text))).toBe(true);
    const emoji = chunkDocument(markdown('😀'.repeat(301)), { ...chunking, maxCharacters: 201 });
    expect(emoji.every(({ text }) => text.length <= 201 && text.isWellFormed())).toBe(true);
    expect(emoji.map(({ text }) => text).join('')).toBe('😀'.repeat(301));
  });

  test('overlaps by whole sentences when configured', () => {
    const chunks = chunkDocument(markdown(sentences(12)), { maxCharacters: 200, overlapCharacters: 60 });
    for (const [index, { text }] of chunks.entries()) {
      const before = chunks[index - 1]?.text;
      if (before !== undefined)
        expect(text.startsWith(before.slice(before.lastIndexOf('This is')))).toBe(true);
      expect(text.length).toBeLessThanOrEqual(200);
    }
  });
});

describe('blocks', () => {
  const table = ['| Part | Price |', '| --- | --- |', '| Bolt | 1.00 |', '| Nut | 2.00 |'].join('\n');

  test('of code and tables stay whole when they fit', () => {
    const code = '```ts\nconst a = 1;\n\nconst b = 2;\n```';
    const chunks = chunkDocument(
      markdown(`${sentences(3)}\n\n${code}\n\n${table}\n\n${sentences(3)}`),
      chunking,
    );
    expect(
      chunks.filter(({ text }) => text.includes('const')).map(({ text }) => text.includes(code)),
    ).toEqual([true]);
    expect(chunks.filter(({ text }) => text.includes('|')).map(({ text }) => text.includes(table))).toEqual([
      true,
    ]);
  });

  test('that are too long are split, each part with the header of its table or the fence of its code', () => {
    const rows = Array.from({ length: 30 }, (_, index) => `| Part ${index} | ${index}.00 |`);
    const long = chunkDocument(markdown(`| Part | Price |\n|---|---|\n${rows.join('\n')}`), chunking);
    expect(long.length).toBeGreaterThan(2);
    for (const { text } of long) expect(text).toMatch(/^\| Part \| Price \|\n\|---\|---\|\n/);
    expect(rows.every((row) => long.some(({ text }) => text.includes(row)))).toBe(true);
    const lines = Array.from({ length: 30 }, (_, index) => `const value${index} = ${index};`);
    for (const { text } of chunkDocument(markdown(`~~~ts\n${lines.join('\n')}\n~~~`), chunking)) {
      expect(text).toMatch(/^~~~ts\n[^]*\n~~~$/);
      expect(text.length).toBeLessThanOrEqual(200);
    }
  });

  test('of tables without outer bars are detected by the line under the header', () => {
    const bare = 'Part | Price\n--- | ---\nBolt | 1.00';
    expect(chunkDocument(markdown(bare), chunking)).toEqual([{ headings: [], page: null, text: bare }]);
  });
});

describe('pages', () => {
  test('are never mixed, and a sentence across two pages belongs to the page where it begins', () => {
    const pages: DocumentPart[] = [
      { text: 'A first sentence. The second goes on', format: 'plain', page: 1 },
      { text: 'over the page. A third.', format: 'plain', page: 2 },
      { text: 'Another one', format: 'plain', page: 3 },
      { text: 'New page, new text.', format: 'plain', page: 4 },
    ];
    expect(chunkDocument(pages, chunking).map(({ page, text }) => [page, text])).toEqual([
      [1, 'A first sentence. The second goes on over the page.'],
      [2, 'A third.'],
      [3, 'Another one'],
      [4, 'New page, new text.'],
    ]);
  });
});

test('no chunk is longer than the limit and no word is lost, for random texts', () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const makers = [
    () => `${'#'.repeat(1 + random(6))} Heading${random(100)}\n`,
    () => `${sentences(random(6))}\n\n`,
    () => `- item${random(1000)}\n`,
    () => `| a${random(1000)} | b |\n|---|---|\n| c${random(1000)} | d |\n\n`,
    () => `\`\`\`\ncode${random(1000)}\n${'x'.repeat(random(400))}\n\`\`\`\n`,
    () => `${'long'.repeat(random(120))} `,
    () => '\n',
  ];
  for (let round = 0; round < 150; round += 1) {
    const text = Array.from({ length: 20 }, () => makers[random(makers.length)]?.() ?? '').join('');
    const limits = { maxCharacters: 200 + random(300), overlapCharacters: random(100) };
    const chunks = chunkDocument(markdown(text), limits);
    expect(Math.max(0, ...chunks.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(
      limits.maxCharacters,
    );
    const all = chunks.map((chunk) => `${chunk.headings.join(' ')} ${chunk.text}`).join(' ');
    for (const [word] of text.matchAll(/\b(?:item|code|Heading)\d+/g)) expect(all).toContain(word);
  }
});
