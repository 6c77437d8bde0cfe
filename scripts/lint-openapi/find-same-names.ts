type Node = Record<string, unknown>;

/**
 * Finds schemas without a name that generators of clients name alike: by the fields that lead to them, so that `authTypes`
 * and `auth.types` become one `AuthTypes`. One of them needs a name in `components`.
 */
export function findSameNames(document: object): string[] {
  return listRoots(document as Node).flatMap(([place, root]) => {
    const paths = new Map<string, Set<string>>();
    collect(root, [], paths);
    return [...paths.values()]
      .filter(({ size }) => size > 1)
      .map((same) => `holdfast same-name: ${[...same].join(' and ')} get one name in clients (${place})`);
  });
}

/** Lists the schemas of the components, and the contents of each operation, with their places. */
function listRoots({ components, paths }: Node): [string, unknown][] {
  const schemas = Object.entries((components as Node | undefined)?.schemas ?? {});
  const operations = Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Node).flatMap(([method, operation]) => {
      const { requestBody, responses } = operation as Node;
      const bodies = { requestBody, ...(responses as Node | undefined) };
      return Object.entries(bodies).flatMap(([name, body]) =>
        Object.entries((body as Node | undefined)?.content ?? {}).map(
          ([type, content]): [string, unknown] => [
            `#/paths/${path}/${method}/${name}/${type}`,
            (content as Node).schema,
          ],
        ),
      );
    }),
  );
  return [
    ...schemas.map(([name, schema]): [string, unknown] => [`#/components/schemas/${name}`, schema]),
    ...operations,
  ];
}

/** Collects the paths of schemas that get a type of their own, by the name that their fields make. */
function collect(schema: unknown, fields: string[], paths: Map<string, Set<string>>): void {
  if (typeof schema !== 'object' || schema === null || '$ref' in schema) return;
  const { properties = {}, items, additionalProperties, ...others } = schema as Node;
  if ('enum' in schema || 'properties' in schema) {
    const name = fields.join('').replace(/\W|_/g, '').toLowerCase();
    paths.set(name, (paths.get(name) ?? new Set()).add(fields.join('.')));
  }
  for (const [field, inner] of Object.entries(properties as Node)) collect(inner, [...fields, field], paths);
  collect(items, [...fields, 'Item'], paths);
  collect(additionalProperties, [...fields, 'Value'], paths);
  for (const variants of [others.anyOf, others.oneOf, others.allOf])
    for (const variant of Array.isArray(variants) ? variants : []) collect(variant, fields, paths);
}
