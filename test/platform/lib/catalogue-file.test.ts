import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  parseCatalogueEntry,
  parseCatalogueFile,
  readCatalogueFile,
} from '../../../src/platform/lib/catalogue-file.ts';

const file = { kind: 'test', path: '/etc/test.json' };
const schema = z.strictObject({ entries: z.array(z.string()) });

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

test('a text that matches the schema is returned as its value', () => {
  expect(parseCatalogueFile(file, '{"entries":["a"]}', schema)).toEqual({ entries: ['a'] });
});

test.each([
  ['{"entries":["hush"}', 'it is not JSON (line 1 column 19).'],
  ['[]', 'the file: expected object, found array.'],
  ['{"entries":[1]}', 'entries.0: expected string, found number.'],
])('the text %s is refused with the place of the error', (text, reason) => {
  const message = messageOf(() => parseCatalogueFile(file, text, schema));
  expect(message).toBe(`The test catalogue /etc/test.json cannot be used: ${reason}`);
});

test('an invalid entry is refused with its path in the file', () => {
  const run = () => parseCatalogueEntry(file, 5, { schema, field: ['servers', 'a'] });
  expect(messageOf(run)).toContain('servers.a: expected object, found number');
});

test('the error for a missing file names the file', async () => {
  const reading = readCatalogueFile({ kind: 'test', path: '/no/such/file.json' });
  await expect(reading).rejects.toThrow(
    'The test catalogue /no/such/file.json cannot be used: it cannot be read',
  );
});
