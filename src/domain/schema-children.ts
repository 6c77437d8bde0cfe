import type { z } from 'zod';

/** A schema inside another one; `segment` is the name of its field, `[]` for items, `*` for values by any name. */
interface Child {
  schema: z.core.$ZodTypes;
  /** Undefined where the schema is about the same value, such as an option of a union. */
  segment?: string;
}

const child = (schema: z.core.$ZodType, segment?: string): Child => ({
  schema: schema as z.core.$ZodTypes,
  ...(segment !== undefined && { segment }),
});

/** Lists the schemas of which a schema is made. */
export function listChildren({ _zod: { def } }: z.core.$ZodTypes): Child[] {
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([name, field]) => child(field, name));
    case 'array':
      return [child(def.element, '[]')];
    case 'tuple':
      return [...def.items, ...(def.rest ? [def.rest] : [])].map((item) => child(item, '[]'));
    case 'record':
      return [child(def.valueType, '*')];
    case 'union':
      return def.options.map((option) => child(option));
    case 'intersection':
      return [child(def.left), child(def.right)];
    case 'pipe':
      return [child(def.in), child(def.out)];
    case 'lazy':
      return [child(def.getter())];
    default:
      return 'innerType' in def ? [child(def.innerType)] : [];
  }
}
