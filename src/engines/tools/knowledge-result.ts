import type { JsonValue } from '../../domain/json.ts';
import type { KnowledgeAnswer, KnowledgeResult } from '../../domain/knowledge.ts';
import { toOneLine } from '../../domain/text.ts';
import type { ToolResult } from '../../domain/tool.ts';

/** The passages as a text with numbered sources for a model, and as data for programs. */
export function toKnowledgeResult({ results, notice }: KnowledgeAnswer, query: string): ToolResult {
  const found =
    results.length === 0
      ? `Nothing was found for "${query}". Try other words.`
      : results.map((result, index) => `[${index + 1}] ${toSource(result)}\n${result.text}`).join('\n\n');
  const text = notice === null ? found : `${found}\n\n(${notice})`;
  return { status: 'succeeded', text, content: toContent(results) };
}

function toSource({ document, page, headings }: KnowledgeResult): string {
  const place = [
    toOneLine(document.name, 300),
    ...(page === null ? [] : [`page ${page}`]),
    ...(headings.length === 0 ? [] : [headings.join(' > ')]),
  ];
  return `Source: ${place.join(', ')}`;
}

function toContent(results: KnowledgeResult[]): JsonValue {
  return results.map(({ document, ...result }) => ({ ...result, document: { ...document } }));
}
