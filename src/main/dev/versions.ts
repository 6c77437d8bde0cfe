/** The release of the Temporal CLI whose development server Holdfast runs; `temporal-dev.yml` has the same. */
export const temporalCliVersion = '1.5.1';

/** The Temporal server inside that release; an older one lacks settings of `temporal-flags.ts`. */
export const temporalServerVersion = '1.29.1';

/** The major version of Postgres, embedded and in `temporal-dev.yml`. */
export const postgresMajorVersion = 18;
