import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { modules } from '../../src/main/modules.ts';
import { describeApi } from './describe-api.ts';

const file = 'docs/openapi.json';
const text = JSON.stringify(await describeApi(modules));
await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
