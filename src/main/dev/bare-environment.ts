const names = ['PATH', 'HOME', 'TMPDIR', 'TZ'];

/** Keeps only the variables that every program needs, so that third-party programs see no secrets or settings. */
export function toBareEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}
