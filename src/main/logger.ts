import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/** Fields that may hold a secret, at the top of a line and one level down. */
const secretFields = [
  'authorization',
  'cookie',
  'apiKey',
  'api_key',
  'key',
  'password',
  'secret',
  'token',
  'headers',
];

/** Creates the logger of a process, which writes JSON lines to standard output and redacts secrets. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, name: string): Logger {
  return pino({
    name,
    level: logLevel,
    base: { name },
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
