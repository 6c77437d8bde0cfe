import type { FieldError } from '../../domain/errors.ts';
import type { ImportReport, McpServerDraft } from './provider-import.ts';
import type { ImportedHead } from './imported-provider-repository.ts';
import { OpenApiError } from '../../engines/openapi/openapi-error.ts';
import { parseOpenApiText } from '../../engines/openapi/parse-openapi-text.ts';
import { compareDefinitions, type DefinitionChanges } from './compile/compare-definitions.ts';
import { compileDocument, type CompileOptions } from './compile/compile-document.ts';
import { ImportInputError } from './compile/choose-operations.ts';
import { isServerJson, readServerJson } from './compile/read-server-json.ts';

/** The text of a document and what to make of it. */
export interface ImportTask {
  text: string;
  options: CompileOptions;
}

/** A document that was compiled: `definition` is JSON, and so is the one that a comparison is made with. */
export interface CompiledImport {
  kind: 'provider';
  head: ImportedHead;
  definition: string;
  report: ImportReport;
}

/** The result of a task: an import, the draft of a connection to an MCP server, or what is wrong and where. */
export type ImportAnswer =
  | CompiledImport
  | { kind: 'mcp_server'; server: McpServerDraft }
  | { kind: 'changes'; changes: DefinitionChanges }
  | { kind: 'bad_document'; pointer: string; message: string }
  | { kind: 'bad_input'; fields: FieldError[] };

/** The definition of an import and that of the version before, both JSON. */
export interface CompareTask {
  before: string;
  after: string;
}

/** Runs a task where it is called: its time and memory are not limited here. */
export function runImportTask(task: ImportTask | CompareTask): ImportAnswer {
  try {
    return 'before' in task
      ? { kind: 'changes', changes: compareDefinitions(task.before, task.after) }
      : compile(task);
  } catch (error) {
    if (error instanceof OpenApiError)
      return { kind: 'bad_document', pointer: error.pointer, message: error.message };
    if (error instanceof ImportInputError) return { kind: 'bad_input', fields: error.fields };
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'bad_document', pointer: '', message: 'it is nested too deeply' };
  }
}

function compile({ text, options }: ImportTask): ImportAnswer {
  const document = parseOpenApiText(text);
  if (isServerJson(document)) return { kind: 'mcp_server', server: readServerJson(document) };
  const { definition, report } = compileDocument(document, options);
  const { name, title, description, category, auth, operations } = definition;
  return {
    kind: 'provider',
    head: {
      ...{ name, title, description, category },
      authTypes: [...auth.types],
      operationNames: Object.keys(operations),
    },
    definition: JSON.stringify(definition),
    report,
  };
}
