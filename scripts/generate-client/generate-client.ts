import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { describeOperations } from './describe-operations.ts';
import type { Document } from './open-api.ts';
import { polishTypes } from './polish-types.ts';
import { renderOperations } from './render-operations.ts';
import { toClientDocument } from './to-client-document.ts';

const notice = '// Generated from docs/openapi.json by "npm run generate".\n';

/** Writes `types.ts` and `operations.ts` of an OpenAPI document into a folder. */
export async function generateClient(documentFile: string, folder: string): Promise<void> {
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
  writeFileSync(path.join(folder, 'operations.ts'), notice + renderOperations(describeOperations(document)));
}
