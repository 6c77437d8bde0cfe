import type { HttpServer } from './server-type.ts';

/** A way into the API: adds the routes of one protocol. `closing` aborts when the server stops. */
export type Door<Dependencies = unknown> = (
  server: HttpServer,
  dependencies: Dependencies,
  closing: AbortSignal,
) => void;

/** All dependencies that several doors use. */
export type DependenciesOf<Some extends Door<never>> = [Some] extends [Door<infer Dependencies>]
  ? Dependencies
  : never;
