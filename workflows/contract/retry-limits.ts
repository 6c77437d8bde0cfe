/** How often a model call is attempted before its turn fails. */
export const modelMaximumAttempts = 5;

/** How often a tool call that may be repeated is attempted. */
export const toolMaximumAttempts = 3;

/** How often the steps before and after a child workflow are attempted; repeating them has no second effect. */
export const childStepAttempts = 5;
