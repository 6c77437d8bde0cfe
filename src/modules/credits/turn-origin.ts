/** An expression: the person for whom a turn with the given alias was started, through all turns above it; null for none. */
export function askedBy(turn: string): string {
  return `coalesce(${turn}.asked_by, ${turn}.started_by ->> 'actingFor')`;
}

/** An expression: the conversation in which the topmost turn above a turn with the given alias runs. */
export function rootConversation(turn: string): string {
  return `coalesce(${turn}.root_conversation_id, ${turn}.conversation_id)`;
}
