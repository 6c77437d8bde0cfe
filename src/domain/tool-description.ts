/** The longest description that a tool keeps, in characters. */
const longest = 4000;

const mark = '…';

/**
 * Cuts the description of a tool to what models are given, whatever way it comes by; the mark at its end says so. Servers
 * and documents of APIs describe tools at any length.
 */
export function cutDescription(description: string): string {
  if (description.length <= longest) return description;
  // Half of a surrogate pair cannot be stored.
  return description.slice(0, longest - mark.length).replace(/[\uD800-\uDBFF]$/, '') + mark;
}

/** Returns whether a description was probably cut. */
export function isCutDescription(description: string): boolean {
  return description.length >= longest - 1 && description.endsWith(mark);
}
