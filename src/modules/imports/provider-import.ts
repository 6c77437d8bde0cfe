import { z } from 'zod';
import { providerCategories } from '../../domain/provider-category.ts';
import { toolEffects } from '../../domain/tool.ts';

/** The name of an imported provider. Tools are named `<name>_<operation>`, which a vendor of models limits to 64. */
const importedName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'expected at most 40 lower-case letters, digits, "-" and "_"');

const choice = z.string().min(1).max(300);

/** The choices of an import: the name, the operations, and what the document does not say. */
export const importOptionsSchema = z.strictObject({
  name: importedName
    .optional()
    .describe('The name of the provider. By default from the title of the document'),
  title: z.string().trim().min(1).max(100).optional(),
  description: z.string().trim().min(1).max(400).optional(),
  category: z.enum(providerCategories).optional(),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .max(2000)
    .optional()
    .describe('The address of the API, in place of the first server of the document'),
  operations: z
    .array(choice)
    .max(2000)
    .optional()
    .describe('The operations to import, each by its operationId or as `GET /pets/{id}`. All by default'),
  tags: z
    .array(choice)
    .max(300)
    .optional()
    .describe('Imports the operations that have one of these tags, too'),
  effects: z
    .record(choice, z.enum(toolEffects))
    .optional()
    .describe(
      'Effects of operations by operationId, name or `GET /pets/{id}`, where the method does not tell them',
    ),
});
export type ImportOptions = z.infer<typeof importOptionsSchema>;

/** An operation as an import makes it. */
const importedOperationSchema = z.object({
  /** The name of the operation; its tool is `<provider>_<name>`. */
  name: z.string(),
  operationId: z.string().nullable(),
  /** The method and the path in the document, such as `GET /pets/{id}`. */
  request: z.string(),
  tags: z.array(z.string()),
  description: z.string(),
  effect: z.enum(toolEffects),
  destructive: z.boolean(),
  scopes: z.array(z.string()),
});
export type ImportedOperationSummary = z.infer<typeof importedOperationSchema>;

/** A part of a document that was left out or changed, and its place as a JSON pointer. */
const importWarningSchema = z.object({ pointer: z.string(), message: z.string() });
export type ImportWarning = z.infer<typeof importWarningSchema>;

/** The operations that an import has made, and the parts of the document that it left out or changed. */
export const importReportSchema = z.object({
  operations: z.array(importedOperationSchema),
  warnings: z.array(importWarningSchema).describe('What was left out or changed, at most 200'),
  warningCount: z.int(),
});
export type ImportReport = z.infer<typeof importReportSchema>;

/** A value that a person gives for a connection to an MCP server. */
const mcpServerFieldSchema = z.object({
  /** The name in braces in `endpoint`, or `key` or `token` of `auth`. */
  name: z.string(),
  place: z.enum(['endpoint', 'auth']),
  description: z.string(),
  required: z.boolean(),
  secret: z.boolean(),
  default: z.string().nullable(),
  choices: z.array(z.string()).nullable(),
});

/** A connection to an MCP server as its `server.json` describes it, before a person has given its values. */
export const mcpServerDraftSchema = z.object({
  /** The name in the registry, such as `io.github.user/weather`. */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  /** The body of `POST /api/connections`, with names in braces in `endpoint` and without the secrets of `auth`. */
  connection: z.object({
    name: z.string(),
    provider: z.literal('mcp'),
    endpoint: z.string(),
    auth: z.object({
      type: z.enum(['none', 'bearer', 'api_key']),
      header: z.string().optional(),
      prefix: z.string().optional(),
    }),
  }),
  fields: z.array(mcpServerFieldSchema),
  warnings: z.array(importWarningSchema),
});
export type McpServerDraft = z.infer<typeof mcpServerDraftSchema>;

/** The differences between two versions of an imported provider. */
export const importChangesSchema = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()).describe('The operations whose request, input, description or effect differ'),
  usedBy: z
    .array(z.object({ agentId: z.string(), agent: z.string(), tool: z.string(), operation: z.string() }))
    .describe('The tools of agents that call operations which were removed or changed'),
});
export type ImportChanges = z.infer<typeof importChangesSchema>;

/** The maximum number of characters of a document. */
export const mostDocumentCharacters = 10 * 1024 * 1024;

/** A document to import, and what to make of it. */
export const importRequestSchema = importOptionsSchema.extend({
  document: z
    .union([
      z.string().min(1).max(mostDocumentCharacters),
      // A check of each value would take longer than reading the document.
      z
        .custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
        .meta({ type: 'object' }),
    ])
    .optional()
    .describe(
      'An OpenAPI document 3.0 or 3.1, or a server.json, as the text of JSON or YAML or as an object',
    ),
  url: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .max(2000)
    .optional()
    .describe('The address of the document, in place of the document'),
  dryRun: z.boolean().optional().describe('Returns what would be made, and stores nothing'),
  force: z
    .boolean()
    .optional()
    .describe('Replaces a provider although tools of agents call operations that are then missing'),
});
export type ImportRequest = z.infer<typeof importRequestSchema>;
