/** Returns an object with a value at a name, or without the name where the value is undefined. */
export function withValue<Fields extends object>(
  present: Fields,
  name: keyof Fields,
  value: unknown,
): Fields {
  const entries = Object.entries({ ...present, [name]: value });
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined)) as Fields;
}
