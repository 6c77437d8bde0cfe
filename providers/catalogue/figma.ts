import { z } from 'zod';
import { defineProvider } from '../../src/engines/providers/define-provider.ts';

const file_key = z.string().min(1).describe('The part after /design/ or /file/ in the address of the file');
const ids = z.string().min(1).describe('Ids of nodes, comma-separated, such as 1:5,1:8');
const version = z.string().min(1).describe('Id of a version; without it the current one').optional();
const point = { x: z.number(), y: z.number() };
const keptComment = [
  ...['id', 'parent_id', 'order_id', 'message', 'user.handle', 'created_at', 'resolved_at'],
  ...['client_meta', 'reactions.emoji'],
];

/** Limits depend on the plan of the file and the seat of the user; `Retry-After` says how long to wait. */
export const figma = defineProvider({
  name: 'figma',
  title: 'Figma',
  description: 'Read designs, render them as images, and discuss them in comments in Figma.',
  category: 'documents',
  baseUrl: 'https://api.figma.com',
  auth: {
    types: ['oauth2_authorization_code', 'api_key'],
    apiKey: { header: 'X-Figma-Token' },
    oauth: {
      authorizationUrl: 'https://www.figma.com/oauth',
      tokenUrl: 'https://api.figma.com/v1/oauth/token',
      refreshUrl: 'https://api.figma.com/v1/oauth/refresh',
      scopes: ['current_user:read'],
    },
    hint: 'A personal access token with the scopes that the tools need, and `current_user:read`.',
  },
  setup: [
    'In Figma, open *Settings*, *Security*, *Personal access tokens*.',
    'Generate a token with the scopes `current_user:read`, `file_content:read`, `file_metadata:read`, `file_comments:read`, `file_comments:write` and `projects:read`, and copy it.',
    'For OAuth, create an app at [figma.com/developers/apps](https://www.figma.com/developers/apps) instead.',
  ],
  verify: { request: 'GET /v1/me', account: ['email'] },
  errors: { message: ['err', 'message', 'reason'] },
  operations: {
    getFileNodes: {
      description:
        'Read parts of a design as JSON: layers with sizes, colours, texts and children. Give a depth, since nodes can be very large. For a picture, use renderImages.',
      input: z.strictObject({
        file_key,
        ids,
        version,
        depth: z.int().min(1).max(20).default(2).describe('Levels of children below each node'),
      }),
      request: 'GET /v1/files/{file_key}/nodes',
      effect: 'read_only',
      scopes: [['file_content:read', 'files:read']],
      keep: ['name', 'lastModified', 'version', 'nodes'],
    },
    getFileMeta: {
      description:
        'Get the name, owner, folder and last change of a file, and who may open it. Does not return its content.',
      input: z.strictObject({ file_key }),
      request: 'GET /v1/files/{file_key}/meta',
      effect: 'read_only',
      scopes: [['file_metadata:read', 'files:read']],
      keep: [
        ...['name', 'folder_name', 'editorType', 'creator.handle', 'last_touched_at'],
        ...['last_touched_by.handle', 'role', 'link_access', 'url', 'version'],
      ],
    },
    renderImages: {
      description:
        'Render nodes of a file as pictures. Returns an address for each node, good for 30 days, or null where a node could not be rendered; not the pictures themselves.',
      input: z.strictObject({
        file_key,
        ids,
        version,
        format: z.enum(['png', 'jpg', 'svg', 'pdf']).default('png'),
        scale: z.number().min(0.01).max(4).optional(),
        contents_only: z.boolean().describe('Without what overlaps the node').optional(),
      }),
      request: 'GET /v1/images/{file_key}',
      effect: 'read_only',
      scopes: [['file_content:read', 'files:read']],
    },
    listComments: {
      description:
        'Read all comments of a file with their authors and places; replies name their parent. Resolved comments are among them.',
      input: z.strictObject({
        file_key,
        as_md: z.boolean().default(true).describe('The text as Markdown'),
      }),
      request: 'GET /v1/files/{file_key}/comments',
      effect: 'read_only',
      scopes: [['file_comments:read', 'files:read']],
      result: 'comments',
      keep: keptComment,
    },
    postComment: {
      description:
        'Comment on a file, or answer a comment. Without a place it belongs to the whole file. Returns the comment with its id.',
      input: z.strictObject({
        file_key,
        message: z.string().min(1).describe('Plain text'),
        comment_id: z.string().min(1).describe('The first comment of the thread to answer').optional(),
        client_meta: z
          .union([
            z.strictObject({ node_id: z.string().min(1), node_offset: z.strictObject(point) }),
            z.strictObject(point),
          ])
          .describe('The place: a node with an offset, or a point of the canvas; not for answers')
          .optional(),
      }),
      request: 'POST /v1/files/{file_key}/comments',
      effect: 'unsafe',
      scopes: ['file_comments:write'],
      keep: keptComment,
    },
    deleteComment: {
      description: 'Delete one comment that the user of the connection wrote. Returns no content.',
      input: z.strictObject({ file_key, comment_id: z.string().min(1) }),
      request: 'DELETE /v1/files/{file_key}/comments/{comment_id}',
      effect: 'idempotent',
      scopes: ['file_comments:write'],
    },
    listTeamProjects: {
      description: 'List the projects of a team with ids and names. Their files come from listProjectFiles.',
      input: z.strictObject({
        team_id: z.string().min(1).describe('The part after /team/ in the address of the team'),
      }),
      request: 'GET /v1/teams/{team_id}/projects',
      effect: 'read_only',
      scopes: [['projects:read', 'files:read']],
    },
    listProjectFiles: {
      description:
        'List the files of a project with their keys, names and last changes. Does not return their content.',
      input: z.strictObject({
        project_id: z.string().min(1).describe('From listTeamProjects'),
        branch_data: z.boolean().describe('With the branches of each file').optional(),
      }),
      request: 'GET /v1/projects/{project_id}/files',
      effect: 'read_only',
      scopes: [['projects:read', 'files:read']],
    },
  },
});
