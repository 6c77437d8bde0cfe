/** Returns the names of a list with commas between them. */
export const toNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
