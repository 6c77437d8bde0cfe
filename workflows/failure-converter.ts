import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves the messages and stack traces of failures into a payload, where the codec of payloads can seal them. Those of
 * failures that were recorded without it are read as they are.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
