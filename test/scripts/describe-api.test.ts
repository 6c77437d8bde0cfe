import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeApi } from '../../scripts/describe-api/describe-api.ts';
import { modules } from '../../src/main/modules.ts';
import { toys } from '../fixtures/toys/module.ts';

const committed = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: object };

test('the document of the server is committed: else run "npm run generate"', async () => {
  expect(await describeApi(modules)).toEqual(committed);
});

test('the document follows a change of the server', async () => {
  const { paths = {} } = await describeApi([...modules, toys]);
  const added = Object.keys(paths).filter((path) => !(path in committed.paths));
  expect(added).toEqual(['/api/toys', '/api/toys/{id}']);
});
