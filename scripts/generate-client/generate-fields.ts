import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeFields, renderFields } from './describe-fields.ts';
import { notice } from './generate-client.ts';
import type { Document } from './open-api.ts';

/** Writes `operation-fields.ts` of an OpenAPI document into a folder. */
export function generateFields(documentFile: string, folder: string): void {
  const document = JSON.parse(readFileSync(documentFile, 'utf8')) as Document;
  mkdirSync(folder, { recursive: true });
  const fields = renderFields(describeFields(document));
  writeFileSync(path.join(folder, 'operation-fields.ts'), notice + fields);
}
