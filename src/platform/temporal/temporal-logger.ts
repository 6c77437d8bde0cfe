import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { DependencyState } from '../lib/dependency-state.ts';

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Warnings of the SDK about an intended setup: one of the two queues of a worker has activities of documents only. */
const intendedWarnings = new Set(['No workflows registered, not polling for workflow tasks']);

/** The part of the SDK that logs each failed request of an outage. */
const retryTarget = 'temporalio_client::retry';

/**
 * Sends the logs of the Temporal SDK to the logger of the program. Call it once, before the first connect. With `state`,
 * the requests that fail while Temporal is unreachable are reported to it (`failed`) and not logged one by one.
 */
export function installTemporalLogger(logger: Logger, state?: Pick<DependencyState, 'failed'>): void {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (intendedWarnings.has(message)) return;
      // The logger writes an error out only under the name `err`.
      const { error, ...fields } = meta ?? {};
      if (state && fields['target'] === retryTarget) {
        state.failed(new Error(String(fields['err'] ?? message)));
        return;
      }
      logger[levels[level]](
        { ...fields, ...(error === undefined ? {} : { err: error as unknown }) },
        message,
      );
    }),
    telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN' }) } },
    shutdownSignals: [],
  });
}
