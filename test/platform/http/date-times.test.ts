import { expect, test } from 'vitest';
import { z } from 'zod';
import { listChildren } from '../../../src/domain/schema-children.ts';
import { routes } from '../../../src/main/rest-routes.ts';

interface DateTime {
  path: string;
  schema: z.core.$ZodTypes;
}

/** Lists the fields of a schema that are date-times, with their paths. */
function listDateTimes(schema: z.core.$ZodTypes, path: string, above: z.core.$ZodTypes[] = []): DateTime[] {
  if (above.includes(schema)) return [];
  const { def } = schema._zod;
  if (def.type === 'string' && 'format' in def && def.format === 'datetime') return [{ path, schema }];
  return listChildren(schema).flatMap(({ schema: inner, segment }) =>
    listDateTimes(inner, segment === undefined ? path : `${path}.${segment}`, [...above, schema]),
  );
}

const dateTimes = routes.flatMap(({ method, path, inputs = {} }) =>
  Object.entries(inputs).flatMap(([part, schema]) =>
    schema ? listDateTimes(schema as z.core.$ZodTypes, `${method} ${path} ${part}`) : [],
  ),
);

test('routes take date-times', () => {
  expect(dateTimes.length).toBeGreaterThan(20);
});

test.each(dateTimes.map(({ path, schema }) => [path, schema] as const))(
  '%s is read into UTC, or refused',
  (_path, schema) => {
    expect(z.safeParse(schema, '2026-05-31T01:30:28.5+14:00').data).toBe('2026-05-30T11:30:28.500Z');
    const refused = [
      ...['2026-05-31T01:30:28+16:00', '2026-05-31T01:30:28-23:59', '2026-05-31T01:30:28'],
      ...[
        '0000-06-01T00:00:00Z',
        '0999-12-31T23:59:59Z',
        '1000-01-01T00:00:00+01:00',
        '9999-12-31T23:59:59-01:00',
      ],
      ...['2026-02-30T00:00:00Z', '2026-05-31', ''],
    ];
    expect(refused.filter((text) => z.safeParse(schema, text).success)).toEqual([]);
  },
);
