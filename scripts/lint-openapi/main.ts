import { readFile } from 'node:fs/promises';
import { lintOpenApi } from './lint-openapi.ts';

const file = 'docs/openapi.json';
const problems = await lintOpenApi(JSON.parse(await readFile(file, 'utf8')) as object);
for (const problem of problems) console.error(`${file}: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
