/** The execution modes whose turns have a workflow in any case: turns of swarms, turns that wait, and turns that wait for a place. */
export const workflowModes = ['inspectable', 'fast'] as const;
