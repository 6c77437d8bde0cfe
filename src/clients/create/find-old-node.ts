/**
 * Returns what to do when a Node is older than a project needs.
 * @param needed the range in the package.json of the project, such as `>=22.19`
 */
export function findOldNode(version: string, needed: string): string | undefined {
  const oldest = needed.replace('>=', '');
  if (version.localeCompare(oldest, 'en', { numeric: true }) >= 0) return undefined;
  return (
    `Holdfast needs Node ${oldest} or newer, and this is ${version}. ` +
    'Install a newer one (https://nodejs.org), and try again. Nothing was created.'
  );
}
