/** The packages of a lock file by their place. */
export type LockedPackages = Record<
  string,
  { version?: string; optionalDependencies?: Record<string, string> } | undefined
>;

interface Locks {
  /** The packages of `package-lock.json`. */
  wanted: LockedPackages;
  /** The packages that npm noted as installed. */
  present: LockedPackages;
}

/** Returns those of the packages that are not installed in the version of the lock file. */
export function toMissingPackages(packages: readonly string[], { wanted, present }: Locks): string[] {
  return packages.filter((name) => {
    const place = `node_modules/${name}`;
    return present[place] === undefined || present[place].version !== wanted[place]?.version;
  });
}
