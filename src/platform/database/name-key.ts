/** An expression: a name in the form in which statements compare names of people: case and compatible characters make no difference. */
export function nameKey(name: string): string {
  return `lower(normalize(trim(${name}), NFKC))`;
}
