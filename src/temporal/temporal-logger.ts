import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** What the SDK warns of and is meant to be: one of a worker's two queues carries steps of documents only. */
const meantWarnings = new Set(['No workflows registered, not polling for workflow tasks']);

/** Sends what the Temporal SDK logs through the program's own logger. To be called once, before anything connects. */
export function installTemporalLogger(logger: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (!meantWarnings.has(message)) logger[levels[level]]({ ...meta }, message);
    }),
    telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN' }) } },
    shutdownSignals: [],
  });
}
