import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves the messages and stack traces of failures into a payload, which the payload codec can encrypt. Failures that
 * were recorded in plain text are read unchanged.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
