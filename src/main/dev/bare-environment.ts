const names = ['PATH', 'HOME', 'TMPDIR', 'TZ'];

/** Keeps only the variables that every program needs, so that no secrets or settings reach a program of others. */
export function toBareEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}
