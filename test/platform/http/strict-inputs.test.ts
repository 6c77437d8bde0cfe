import { expect, test } from 'vitest';
import type { z } from 'zod';
import { listChildren } from '../../../src/domain/schema-children.ts';
import { routes } from '../../../src/main/rest-routes.ts';

/** Objects that take fields which Holdfast does not know, and why. */
const open = new Map([
  // The team is shown to its agents as it is.
  ['body.teamConfig', 'looseObject'],
  ['body.teamConfig.members.[]', 'looseObject'],
  // Payloads of Temporal: https://docs.temporal.io/remote-data-encoding
  ['body', 'looseObject'],
  ['body.payloads.[]', 'looseObject'],
]);

/** Lists the objects of a schema that drop or keep fields which they do not know, with their paths. */
function listNotStrict(root: z.core.$ZodTypes, whole: string): [string, string][] {
  const found: [string, string][] = [];
  const visit = (schema: z.core.$ZodTypes, path: string, above: z.core.$ZodTypes[]): void => {
    if (above.includes(schema)) return;
    const { def } = schema._zod;
    if (def.type === 'object' && def.catchall?._zod.def.type !== 'never')
      found.push([path, def.catchall ? 'looseObject' : 'object']);
    for (const { schema: inner, segment } of listChildren(schema))
      visit(inner, segment === undefined ? path : `${path}.${segment}`, [...above, schema]);
  };
  visit(root, whole, []);
  return found;
}

test.each(routes.map(({ method, path, inputs = {} }) => [method, path, inputs] as const))(
  '%s %s refuses fields that it does not know',
  (_method, _path, { query, body }) => {
    const parts = Object.entries({ query, body });
    const found = parts.flatMap(([name, schema]) =>
      schema ? listNotStrict(schema as z.core.$ZodTypes, name) : [],
    );
    expect(found.filter(([path, kind]) => open.get(path) !== kind)).toEqual([]);
  },
);
