/** The part of a running turn that may change while one of its steps runs. */
export interface TurnState {
  cancelRequested: boolean;
  /** The ids of the agent's tools that changed since they were accepted. */
  quarantined: string[];
}

/** The columns of {@link TurnState}, for a turn that a statement names with the given alias. */
export function turnState(turn: string): string {
  return `${turn}.cancel_requested_at IS NOT NULL AS "cancelRequested", ARRAY(
    SELECT p.tool_id::text FROM tool_pins p WHERE p.agent_id = ${turn}.agent_id AND p.quarantined_at IS NOT NULL
  ) AS quarantined`;
}
