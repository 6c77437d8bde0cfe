/**
 * The SQL of the turns that have a file too, because a fork copied the tool call with its result. `file` names the row of
 * the file.
 */
export function toHeirs(file: string): string {
  return `SELECT heir.id FROM tool_calls own
    JOIN tool_calls copy ON copy.recorded_call_id = coalesce(own.recorded_call_id, own.id) AND copy.turn_id <> own.turn_id
    JOIN turns heir ON heir.id = copy.turn_id
    JOIN conversations v ON v.id = heir.conversation_id AND v.deleted_at IS NULL
    WHERE own.turn_id = ${file}.turn_id AND own.result_content IS NOT NULL
      AND strpos(copy.result_content::text, ${file}.id::text) > 0`;
}
