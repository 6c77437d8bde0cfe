import { z } from 'zod';
import { defineProvider, fileId } from '../../src/engines/providers/define-provider.ts';

const file_id = z.string().min(1).describe('Id of the file');
const itemName = z.string().min(1).max(255);
const folder = z.strictObject({ id: z.string().min(1) }).describe('The folder; { "id": "0" } is the root');
const ids = z.array(z.string()).optional();
const dates = z
  .array(z.string())
  .length(2)
  .describe('From and to, RFC 3339; an empty text for no limit')
  .optional();
const shown = 'id,type,name,description,size,parent,modified_at,modified_by,owned_by,shared_link';
const keptItem = [
  ...['id', 'type', 'name', 'description', 'size', 'parent.id', 'parent.name', 'modified_at'],
  ...['modified_by.login', 'owned_by.login', 'shared_link.url'],
];

export const box = defineProvider({
  name: 'box',
  title: 'Box',
  description: 'Search, upload, share and comment on files of Box.',
  category: 'storage',
  baseUrl: 'https://api.box.com/2.0',
  listFormat: 'comma',
  auth: {
    types: ['oauth2_authorization_code', 'bearer'],
    oauth: {
      authorizationUrl: 'https://account.box.com/api/oauth2/authorize',
      tokenUrl: 'https://api.box.com/oauth2/token',
      // The scopes are those that the app has in the developer console.
      scopes: [],
      clientAuthentication: 'post',
    },
    hint: 'A Box app with user authentication, OAuth 2.0.',
  },
  setup: [
    'Open the [developer console](https://app.box.com/developers/console) and create a *Custom App* with **User Authentication (OAuth 2.0)**.',
    'Under *Configuration*, tick the application scope **Read and write all files and folders stored in Box**.',
    'Copy the client ID and the client secret. In a company, an administrator may have to allow the app.',
  ],
  verify: { request: 'GET /users/me', account: ['login'] },
  // https://developer.box.com/guides/api-calls/permissions-and-errors/rate-limits/
  rateLimit: { tokensPerMinute: 1000 },
  errors: { message: ['message', 'error_description'], details: ['context_info.errors'] },
  operations: {
    search: {
      description:
        'Search files and folders by words of their names, descriptions, texts, comments and tags. Returns ids and folders, not the content.',
      input: z.strictObject({
        query: z.string().min(1).describe('Words; "…" for a phrase, also AND, OR and NOT'),
        type: z.enum(['file', 'folder', 'web_link']).optional(),
        file_extensions: z.array(z.string()).describe('Such as pdf').optional(),
        ancestor_folder_ids: ids.describe('Only beneath these folders'),
        owner_user_ids: ids,
        content_types: z
          .array(z.enum(['name', 'description', 'file_content', 'comments', 'tags']))
          .optional(),
        created_at_range: dates,
        updated_at_range: dates,
        sort: z.enum(['modified_at', 'relevance']).optional(),
        direction: z.enum(['ASC', 'DESC']).optional(),
      }),
      request: 'GET /search',
      fixed: { fields: shown },
      effect: 'read_only',
      scopes: [],
      rateLimit: { tokensPerMinute: 60 },
      paging: { style: 'offset', field: 'offset', items: 'entries', size: { field: 'limit', max: 200 } },
      keep: keptItem,
    },
    listFolder: {
      description:
        'List the files and folders in a folder, with ids, sizes and dates. Does not look into the folders in it.',
      input: z.strictObject({
        folder_id: z.string().min(1).default('0').describe('Id of the folder; 0 is the root'),
        sort: z.enum(['id', 'name', 'date', 'size']).optional(),
        direction: z.enum(['ASC', 'DESC']).optional(),
      }),
      request: 'GET /folders/{folder_id}/items',
      fixed: { fields: shown, usemarker: true },
      effect: 'read_only',
      scopes: [],
      paging: {
        style: 'cursor',
        field: 'marker',
        next: 'next_marker',
        items: 'entries',
        size: { field: 'limit', max: 1000 },
      },
      keep: keptItem,
    },
    getFile: {
      description:
        'Get the name, size, folder, owner, dates and shared link of a file by its id. Does not return its content.',
      input: z.strictObject({ file_id }),
      request: 'GET /files/{file_id}',
      effect: 'read_only',
      scopes: [],
      keep: [...keptItem, 'sha1', 'created_at', 'item_status', 'version_number', 'comment_count', 'tags'],
    },
    // Not idempotent: a repeated upload is refused as a conflict, which hides that the first one succeeded.
    uploadFile: {
      description:
        'Upload a stored file into a folder under a name that is not yet used there. Returns its id. Does not replace a file.',
      input: z.strictObject({
        attributes: z.strictObject({ name: itemName, parent: folder }),
        file: fileId('The file'),
      }),
      request: 'POST /files/content',
      baseUrl: 'https://upload.box.com/api/2.0',
      bodyFormat: 'multipart',
      files: ['file'],
      effect: 'unsafe',
      scopes: [],
      rateLimit: { tokensPerMinute: 240 },
      result: 'entries',
      keep: ['id', 'name', 'size', 'parent.id', 'sha1'],
    },
    createFolder: {
      description:
        'Create an empty folder in another one, under a name that is not yet used there. Returns its id.',
      input: z.strictObject({ name: itemName, parent: folder }),
      request: 'POST /folders',
      effect: 'unsafe',
      scopes: [],
      keep: ['id', 'name', 'parent.id', 'created_at'],
    },
    shareItem: {
      description:
        'Give a user or a group access to a file or folder, as editor, viewer or another role. A person is invited by mail.',
      input: z.strictObject({
        item: z.strictObject({ type: z.enum(['file', 'folder']), id: z.string().min(1) }),
        accessible_by: z
          .strictObject({
            type: z.enum(['user', 'group']),
            id: z.string().optional(),
            login: z.email().optional(),
          })
          .describe('The id of a user or group, or the e-mail address (login) of a user'),
        role: z.enum([
          'editor',
          'viewer',
          'previewer',
          'uploader',
          'previewer uploader',
          'viewer uploader',
          'co-owner',
        ]),
        expires_at: z.iso.datetime({ offset: true }).optional(),
        notify: z.boolean().describe('Whether a mail is sent').optional(),
      }),
      request: 'POST /collaborations',
      query: ['notify'],
      effect: 'unsafe',
      scopes: [],
      keep: ['id', 'role', 'status', 'item.id', 'accessible_by.login', 'invite_email', 'expires_at'],
    },
    addComment: {
      description:
        'Comment on a file. Returns the id of the comment. Does not change the file; people are not told without a mention.',
      input: z.strictObject({
        item: z.strictObject({ id: z.string().min(1), type: z.literal('file').default('file') }),
        message: z.string().min(1).describe('Plain text'),
      }),
      request: 'POST /comments',
      effect: 'unsafe',
      scopes: [],
      keep: ['id', 'message', 'created_at'],
    },
    deleteFile: {
      description:
        'Delete a file. It goes to the trash, or is gone at once where a company has none. Folders are not deleted.',
      input: z.strictObject({ file_id }),
      request: 'DELETE /files/{file_id}',
      effect: 'idempotent',
      scopes: [],
    },
  },
});
