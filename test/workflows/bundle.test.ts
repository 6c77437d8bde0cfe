import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/main/config.ts';
import { createDataConverter } from '../../src/platform/temporal/data-converter.ts';
import { bundleWorkflows } from '../../src/platform/temporal/bundle-workflows.ts';

const megabyte = 1024 * 1024;

describe('the workflow bundle', () => {
  let code: string;
  /** The files of the bundle, by the source map that webpack writes into it. */
  let files: string[];

  beforeAll(async () => {
    ({ code } = await bundleWorkflows(createDataConverter({ ...loadConfig({}), encryptPayloads: false })));
    const map = /sourceMappingURL=data:application\/json;charset=utf-8;base64,(\S+)/.exec(code)?.[1] ?? '';
    ({ sources: files } = JSON.parse(Buffer.from(map, 'base64').toString('utf8')) as { sources: string[] });
  });

  test('contains the workflows and functions of the domain', () => {
    expect(files.some((file) => file.endsWith('workflows/agent-turn.ts'))).toBe(true);
    expect(files.some((file) => file.endsWith('src/domain/limits.ts'))).toBe(true);
  });

  test('contains no code of activities or other code from outside the sandbox', () => {
    const own = files.filter((file) => !file.includes('node_modules') && /\.ts$/.test(file));
    const inside = /(^|\/)(workflows|src\/domain|src\/contract|interpreter)\/|-(workflow|contract)\.ts$/;
    const strangers = own.filter((file) => !inside.test(file));
    expect(strangers).toEqual([]);
    expect(code).not.toContain('the model was answering');
  });

  test.each(['zod', 'knex', 'pg', 'undici', 'ai', 'fastify', 'pino', '@modelcontextprotocol', '@ai-sdk'])(
    'contains no code of %s',
    (name) => {
      expect(files.filter((file) => file.includes(`node_modules/${name}/`))).toEqual([]);
    },
  );

  test('contains the failure converter only where payloads are encrypted, whichever was bundled before', async () => {
    const encryption = { keys: `k:${randomBytes(32).toString('base64')}` };
    const encrypting = await bundleWorkflows(createDataConverter({ encryption, encryptPayloads: true }));
    const plain = await bundleWorkflows(createDataConverter({ encryption, encryptPayloads: false }));
    expect(encrypting.code).toContain('workflows/failure-converter.ts');
    expect(plain.code).not.toContain('workflows/failure-converter.ts');
    expect(code).not.toContain('workflows/failure-converter.ts');
  });

  test('stays small without its source map, since every worker loads it', () => {
    const [program = ''] = code.split('//# sourceMappingURL=');
    expect(Buffer.byteLength(program)).toBeLessThan(megabyte);
  });
});
