import type { Dependencies } from './api-dependencies.ts';
import type { HttpServer } from './server-type.ts';

/** A way into the API: adds the routes of one protocol. `closing` aborts when the server stops. */
export type Door = (server: HttpServer, dependencies: Dependencies, closing: AbortSignal) => void;
