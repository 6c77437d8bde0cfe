import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listInvisible } from '../../../src/domain/invisible-text.ts';
import { resourceOperations } from '../../../src/domain/resource.ts';
import { toArgumentSchema, toOperationSchema } from '../../../src/modules/resources/operation-schema.ts';
import { resourceKinds } from '../../../src/modules/resources/resource-kinds.ts';
import { mutationsOf, valuesOf } from '../../labs/schema-values.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const cases = resourceKinds.flatMap((kind) =>
  resourceOperations.map((op) => ({ kind, op, name: kind.kind })),
);

describe.each(cases)('the JSON Schema of $op for the kind $name', ({ kind, op }) => {
  const schema = toOperationSchema(kind.kind, op);
  const validate = ajv.compile(schema);
  const checked = toArgumentSchema(kind, op);
  const values = valuesOf(schema);

  test('accepts and refuses what the check of the arguments accepts and refuses', () => {
    const seen = { accepted: 0, refused: 0 };
    const property = fc.property(fc.oneof(values, mutationsOf(values)), (input) => {
      // Names of people are refused with characters that nobody sees, of which JSON Schema knows nothing.
      fc.pre(kind.kind !== 'memory' || listInvisible(input).length === 0);
      const accepted = checked.safeParse(input).success;
      seen[accepted ? 'accepted' : 'refused'] += 1;
      expect({ input, accepted: validate(input) }).toEqual({ input, accepted });
    });
    fc.assert(property, { numRuns: 400, seed: 20_261_123 });
    expect(seen.accepted).toBeGreaterThan(20);
    expect(seen.refused).toBeGreaterThan(20);
  });

  test('is for this operation and this kind alone', () => {
    const [other] = fc.sample(values, { numRuns: 1, seed: 1 });
    expect(validate({ ...(other as object), op: 'destroy' })).toBe(false);
    expect(validate({ ...(other as object), resource_type: 'other' })).toBe(false);
  });
});
