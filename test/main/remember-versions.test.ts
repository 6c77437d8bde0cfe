import { expect, test } from 'vitest';
import type { AgentVersion } from '../../src/domain/agent.ts';
import { rememberVersions } from '../../src/main/remember-versions.ts';

function createReader(maxCharacters: number) {
  const read: string[] = [];
  const getVersion = rememberVersions((_workspaceId, id) => {
    read.push(id);
    return Promise.resolve({ id, instructions: 'x'.repeat(1_000) } as AgentVersion);
  }, maxCharacters);
  return { read, getVersion: (id: string) => getVersion('workspace', id) };
}

test('a version is read once', async () => {
  const { read, getVersion } = createReader(10_000);
  const first = await getVersion('one');
  expect(await getVersion('one')).toBe(first);
  expect(read).toEqual(['one']);
});

test('the versions that were not used for the longest time make room for others', async () => {
  const { read, getVersion } = createReader(2_500);
  for (const id of ['one', 'two', 'one', 'three', 'one', 'two']) await getVersion(id);
  expect(read).toEqual(['one', 'two', 'three', 'two']);
});

test('a version that is larger than the cache is read each time, and displaces none', async () => {
  const { read, getVersion } = createReader(500);
  for (const id of ['large', 'large']) expect((await getVersion(id)).id).toBe(id);
  expect(read).toEqual(['large', 'large']);
});
