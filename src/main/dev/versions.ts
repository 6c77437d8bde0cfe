/** The release of the Temporal CLI whose development server Holdfast runs; `temporal-dev.yml` has the same. */
export const temporalCliVersion = '1.5.1';

/** The version of the server in that release; older ones lack settings of `temporal-flags.ts`. */
export const temporalServerVersion = '1.29.1';

/** The major version of Postgres, embedded and in `temporal-dev.yml`. */
export const postgresMajorVersion = 18;
