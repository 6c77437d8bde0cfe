/** The settings of workers without a place for `direct` turns, each of which gets a workflow. */
export const withoutPlaces = { HOLDFAST_DIRECT_TURNS: '0' };

/** Where the steps of a turn run: in activities each, in a worker, or in one activity of the workflow of a `direct` turn. */
export const turnGrounds = [
  { ground: 'inspectable execution', execution: 'inspectable', environment: {} },
  { ground: 'direct execution', execution: 'direct', environment: {} },
  { ground: 'the workflow of a direct turn', execution: 'direct', environment: withoutPlaces },
] as const;
