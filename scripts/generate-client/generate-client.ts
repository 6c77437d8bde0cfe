import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { describeOperations } from './describe-operations.ts';
import { growTree, type ClientNames } from './grow-tree.ts';
import type { Document } from './open-api.ts';
import { polishTypes } from './polish-types.ts';
import { renderOperations } from './render-operations.ts';
import { renderTree } from './render-tree.ts';
import { toClientDocument } from './to-client-document.ts';

/** The first line of each file that is generated. */
export const notice = '// Generated from docs/openapi.json by "npm run generate".\n';

/** Writes `types.ts`, `operations.ts` and `resource-tree.ts` of an OpenAPI document into a folder. */
export async function generateClient(
  documentFile: string,
  folder: string,
  names: ClientNames,
): Promise<void> {
  const document = JSON.parse(readFileSync(documentFile, 'utf8')) as Document;
  mkdirSync(folder, { recursive: true });
  await createClient({
    input: { ...toClientDocument(document) },
    output: { path: folder, entryFile: false, clean: false, fileName: { suffix: null }, header: [] },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent', file: false },
  });
  const types = path.join(folder, 'types.ts');
  writeFileSync(types, notice + polishTypes(readFileSync(types, 'utf8')));
  const operations = describeOperations(document);
  writeFileSync(path.join(folder, 'operations.ts'), notice + renderOperations(operations));
  writeFileSync(path.join(folder, 'resource-tree.ts'), notice + renderTree(growTree(operations, names)));
}
