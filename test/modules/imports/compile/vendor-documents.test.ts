import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileDocument } from '../../../../src/modules/imports/compile/compile-document.ts';
import { listOperations } from '../../../../src/modules/imports/compile/list-operations.ts';
import { parseOpenApiText } from '../../../../src/engines/openapi/parse-openapi-text.ts';
import { toolInputSchema } from '../../../../src/engines/tools/tool-schema.ts';
import { checkToolSchema } from '../../../../src/engines/tools/json-schema/tool-arguments.ts';
import { createProviderEntry } from '../../../../src/engines/providers/provider-entry.ts';
import { toImportedProvider } from '../../../../src/engines/providers/imported-definition.ts';
import { listPlaceholders } from '../../../../src/engines/providers/request-path.ts';
import { describeLargeApi } from '../../../fixtures/pet-store.ts';

const documentUrl = 'https://docs.example.com/openapi';

function listDocuments(folder: string | undefined): string[] {
  if (folder === undefined || !existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => /\.(json|ya?ml)$/.test(file) && file !== 'index.json');
  return files.map((file) => path.join(folder, file));
}

/** Imports a whole document, checks what became of it, and returns its figures. */
function importWhole(text: string) {
  const begun = performance.now();
  const document = parseOpenApiText(text);
  const read = performance.now();
  const { definition, report } = compileDocument(document, { documentUrl });
  const compiled = performance.now();
  const { tools } = createProviderEntry(
    toImportedProvider(definition, () => Promise.resolve([])),
    'imported',
  );
  for (const { name, description, inputSchema } of tools) {
    expect(checkToolSchema(inputSchema), name).toBeNull();
    const tool = { type: 'mcp', name, description, schema: inputSchema, config: { server: 'any' } };
    expect(toolInputSchema.safeParse(tool).error, name).toBeUndefined();
    expect(name).toMatch(/^[a-z][\w-]{0,63}$/);
    expect(description.length, name).toBeGreaterThan(3);
    expect(JSON.stringify(inputSchema).length, name).toBeLessThan(100_000);
  }
  for (const [name, { request, schema }] of Object.entries(definition.operations))
    expect(schema.required ?? [], name).toEqual(expect.arrayContaining(listPlaceholders(request)));
  const leftOut = report.warnings.filter(({ message }) => message.includes('operation is left out'));
  expect(tools.length + leftOut.length).toBe(listOperations(document, 40).length);
  return {
    operations: tools.length,
    characters: text.length,
    readMs: Math.round(read - begun),
    compileMs: Math.round(compiled - read),
    stored: JSON.stringify(definition).length,
    warnings: report.warningCount,
  };
}

const small = listDocuments(process.env.HOLDFAST_VENDOR_OPENAPI);

describe.runIf(small.length > 0)('the documents of the vendors', () => {
  test.each(small)('%s is imported as a whole', (file) => {
    expect(importWhole(readFileSync(file, 'utf8')).operations).toBeGreaterThan(5);
  });
});

const large = listDocuments(process.env.HOLDFAST_LARGE_DOCUMENTS);

describe.runIf(large.length > 0)('large documents', () => {
  test.each(large)('%s is imported as a whole', (file) => {
    const figures = importWhole(readFileSync(file, 'utf8'));
    process.stdout.write(`${path.basename(file)} ${JSON.stringify(figures)}\n`);
  });
});

test('a document of 1,000 operations is imported as a whole', () => {
  const { operations, warnings } = importWhole(JSON.stringify(describeLargeApi(1_000)));
  // It names no credentials, and no operation without input.
  expect({ operations, warnings }).toEqual({ operations: 1_000, warnings: 2 });
});
