type SqlId = (kind: 'turn' | 'file' | 'compaction' | 'message' | 'conversation', number: string) => string;

/** One upload in a thousand is used by no turn. */
const isUnused = '(n + 1) / 2 % 500 = 0';

/**
 * The columns of row number `n` of the tables of files and compactions. Each second file was uploaded, and two turns use it;
 * the others belong to results of tools. One upload in five hundred is used by none, and one in a thousand broke off.
 */
export function toFileColumns(sqlId: SqlId): Record<string, Record<string, string>> {
  const upload = `(n + 1) / 2 * 2 - CASE WHEN ${isUnused} THEN 2 ELSE 0 END`;
  return {
    files: {
      id: sqlId('file', 'n'),
      turn_id: `CASE WHEN n % 2 = 1 THEN ${sqlId('turn', 'n')} END`,
      created_by: `CASE WHEN n % 2 = 0 THEN '{}'::jsonb END`,
      name: `'file' || n`,
      media_type: `'text/plain'`,
      // Tools have answered with the bytes of one upload a thousand times, and people have uploaded them a thousand times.
      sha256: `'sha' || CASE WHEN n % 200 < 2 THEN 0 ELSE n END`,
      size: '1',
      place: `CASE WHEN n % 4 = 0 THEN 'bucket' ELSE 'pieces' END`,
      object_key: `CASE WHEN n % 4 = 0 THEN 'key' || n END`,
      is_whole: 'n % 1000 <> 500',
      created_at: `now() - interval '30 days'`,
    },
    file_pieces: { file_id: sqlId('file', 'n'), position: '0', bytes: `'\\x00'` },
    file_texts: { file_id: sqlId('file', 'n'), text: `'Words'`, characters: '5' },
    file_uses: { turn_id: sqlId('turn', 'n'), file_id: sqlId('file', upload) },
    // Objects whose removal failed wait for their next try; one in a thousand is due.
    removed_objects: {
      object_key: `'removed' || n`,
      is_whole: 'true',
      next_try_at: `now() + (n % 1000 - 1) * interval '1 hour'`,
    },
    // Five of each conversation, of which each replaces the one before.
    compactions: {
      id: sqlId('compaction', 'n'),
      conversation_id: sqlId('conversation', '(n - 1) / 5 + 1'),
      turn_id: sqlId('turn', '(n - 1) / 5 * 10 + (n - 1) % 5 * 2 + 1'),
      turn_ordinal: '(n - 1) % 5 * 2 + 1',
      iteration: '1',
      number: '1',
      kind: `'summarize'`,
      from_ordinal: '1',
      through_ordinal: '(n - 1) % 5',
      references_through: '(n - 1) % 5',
      message_id: sqlId('message', 'n'),
      tokens_before: '100',
      tokens_after: '50',
    },
  };
}
