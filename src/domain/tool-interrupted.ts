import { HoldfastError, type ErrorCode } from './errors.ts';
import type { JsonValue } from './json.ts';

interface ToolInterruptedOptions {
  /** Whether the request may have reached the server. A request that was never sent may always be repeated. */
  sent: boolean;
  cause?: unknown;
  details?: JsonValue;
  retryable?: boolean;
  retryAfterMs?: number;
}

/** A tool call that failed before it was answered; `sent` decides whether it may be repeated. */
export class ToolInterruptedError extends HoldfastError {
  readonly sent: boolean;

  constructor(code: ErrorCode, message: string, options: ToolInterruptedOptions) {
    super(code, message, options);
    this.sent = options.sent;
  }
}
