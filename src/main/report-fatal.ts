import type { Logger } from 'pino';
import { describeFailure } from './describe-failure.ts';
import { createLogger } from './logger.ts';

interface FatalOptions {
  /** The name of the program. */
  name: string;
  /** Missing when the settings are wrong, so that the level of the log is not known. */
  logger: Logger | undefined;
}

/** Writes the error that ends a program: with its stack into the log, and as one sentence to the standard error. */
export function reportFatal(error: unknown, { name, logger }: FatalOptions): void {
  const log = logger ?? createLogger({ logLevel: 'info' }, name);
  log.fatal({ err: error }, `the ${name === 'api' ? 'API' : name} cannot run`);
  console.error(describeFailure(error));
}
