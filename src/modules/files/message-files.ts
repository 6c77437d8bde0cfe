/** The facts of a file `f` that a model call is made from. */
export const fileFacts = `jsonb_build_object('id', f.id, 'name', f.name, 'mediaType', f.media_type, 'size',
  f.size, 'sha256', f.sha256, 'pages', f.pages, 'width', f.width, 'height', f.height)`;

/** An expression: the parts of a message in their order, each with the facts of its file; null where there are no parts. */
export function partsWithFiles(parts: string): string {
  return `CASE WHEN ${parts} IS NOT NULL THEN (
    SELECT jsonb_agg(CASE WHEN part ? 'fileId' THEN part || jsonb_build_object('file', (
      SELECT ${fileFacts} FROM files f WHERE f.id = (part ->> 'fileId')::uuid)) ELSE part END ORDER BY position)
    FROM jsonb_array_elements(${parts}) WITH ORDINALITY AS listed (part, position)) END`;
}

/** An expression: the parts of a tool call's result that are stored files; null where it has none. */
export function filesOfResult(content: string): string {
  return `CASE WHEN ${content} IS NOT NULL THEN nullif(jsonb_path_query_array(${content},
    '$.content[*] ? (@.blobId.type() == "string" || @.resource.blobId.type() == "string")'), '[]') END`;
}
