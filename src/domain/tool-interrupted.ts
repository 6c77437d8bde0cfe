import { HoldfastError, type ErrorCode } from './errors.ts';

interface ToolInterruptedOptions {
  /** Whether the request may have reached the other side. What was never sent may always be tried again. */
  sent: boolean;
  cause?: unknown;
  retryAfterMs?: number;
}

/** A tool call that broke before an answer came; `sent` decides whether it may be tried again. */
export class ToolInterruptedError extends HoldfastError {
  readonly sent: boolean;

  constructor(code: ErrorCode, message: string, options: ToolInterruptedOptions) {
    super(code, message, options);
    this.sent = options.sent;
  }
}
