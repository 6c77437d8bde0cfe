/** The execution modes whose turns have a workflow in any case. */
export const workflowModes = ['inspectable', 'fast'] as const;
