const names = ['PATH', 'HOME', 'TMPDIR', 'TZ'];

/** What a program needs of an environment that is not its own: no secrets, no settings meant for others. */
export function toBareEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}
