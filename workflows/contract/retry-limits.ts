/** How often a model call is attempted before its turn fails. */
export const modelMaximumAttempts = 5;

/** How often a tool call that may be repeated is attempted. */
export const toolMaximumAttempts = 3;

/** How often the beginning and the end of a child are attempted: neither does anything twice. */
export const childStepAttempts = 5;

/** How long an activity may outlive its own time limit, in milliseconds, so that it can say what happened. */
export const activityGraceMs = 2_000;
