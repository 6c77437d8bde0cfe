/**
 * Joins the conditions of those fields that have a value, each after an `AND`. Statements are planned once, whatever their
 * values, so that a condition that might be left out keeps an index from being used. `suffix` names the fields, for the
 * name of the statement.
 */
export function pickConditions<Name extends string>(
  conditions: Record<Name, string>,
  values: { [Field in NoInfer<Name>]?: unknown },
): { suffix: string; text: string } {
  const given = Object.keys(conditions).filter((name): name is Name => values[name as Name] != null);
  return {
    suffix: given.map((name) => `_${name}`).join(''),
    text: given.map((name) => `AND ${conditions[name]}`).join(' '),
  };
}
