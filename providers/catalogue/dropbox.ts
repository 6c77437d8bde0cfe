import { z } from 'zod';
import { defineProvider, fileId } from '../../src/engines/providers/define-provider.ts';

const path = z.string().min(1).describe('Path such as /Teas/list.txt, or an id such as id:a4ay…');
const newPath = z.string().regex(/^\//, 'expected a path that begins with a slash');
const cursor = { style: 'cursor', field: 'cursor', next: 'cursor', more: 'has_more' } as const;
const keptEntry = ['.tag', 'id', 'name', 'path_display'];
const keptFile = [...keptEntry, 'size', 'rev', 'server_modified', 'content_hash'];

/** Writes JSON for a header, in ASCII only: https://www.dropbox.com/developers/reference/json-encoding */
function toHeader(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export const dropbox = defineProvider({
  name: 'dropbox',
  title: 'Dropbox',
  description: 'Find, upload and share files of Dropbox.',
  category: 'storage',
  baseUrl: 'https://api.dropboxapi.com/2',
  auth: {
    types: ['oauth2_authorization_code', 'bearer'],
    oauth: {
      authorizationUrl: 'https://www.dropbox.com/oauth2/authorize',
      tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
      scopes: ['account_info.read'],
      // Without it there is no refresh token.
      parameters: { token_access_type: 'offline' },
      clientAuthentication: 'post',
    },
    hint: 'An app of the Dropbox App Console.',
  },
  setup: [
    'Open the [App Console](https://www.dropbox.com/developers/apps) and create an app with *Scoped access*.',
    'Under *Permissions*, tick the scopes, and submit.',
    'Under *Settings*, copy the app key and the app secret.',
  ],
  verify: { request: 'POST /users/get_current_account', account: ['email'] },
  throttle: { wait: [{ body: 'error.retry_after', unit: 'seconds' }] },
  // Errors of HTTP 400 are plain text, which is the whole answer.
  errors: { message: ['user_message.text', 'error_summary', 'error_description', ''] },
  operations: {
    listFolder: {
      description:
        'List what is in a folder, or in all folders beneath it. Returns names, paths, ids and sizes, not the contents. To find a name, use search.',
      input: z.strictObject({
        path: z.string().default('').describe('Path such as /Teas; empty for the root'),
        recursive: z.boolean().describe('With all that is in its folders').optional(),
      }),
      request: 'POST /files/list_folder',
      effect: 'read_only',
      scopes: ['files.metadata.read'],
      paging: {
        ...cursor,
        ...{
          items: 'entries',
          then: 'POST /files/list_folder/continue',
          size: { field: 'limit', max: 2000 },
        },
      },
      keep: [...keptEntry, 'size', 'server_modified'],
    },
    search: {
      description:
        'Search files and folders by words of their names and texts. Returns names, paths and ids, best first, not the contents.',
      input: z.strictObject({
        query: z.string().min(1).max(1000),
        options: z
          .strictObject({
            path: z.string().describe('Only beneath this folder').optional(),
            filename_only: z.boolean().optional(),
            file_extensions: z.array(z.string()).describe('Such as pdf').optional(),
          })
          .optional(),
      }),
      request: 'POST /files/search_v2',
      effect: 'read_only',
      scopes: ['files.metadata.read'],
      paging: {
        ...cursor,
        ...{ items: 'matches', then: 'POST /files/search/continue_v2' },
        size: { field: 'options.max_results', max: 1000 },
      },
      keep: [...keptEntry, 'server_modified'].map((name) => `metadata.metadata.${name}`),
    },
    getMetadata: {
      description:
        'Get the type, size, revision and date of a file or folder by its path or id. Does not return the content.',
      input: z.strictObject({ path }),
      request: 'POST /files/get_metadata',
      effect: 'read_only',
      scopes: ['files.metadata.read'],
      keep: keptFile,
    },
    getTemporaryLink: {
      description:
        'Get an address from which a file can be downloaded without an account for four hours. To share it for longer, use createSharedLink.',
      input: z.strictObject({ path }),
      request: 'POST /files/get_temporary_link',
      effect: 'read_only',
      scopes: ['files.content.read'],
      keep: ['link', 'metadata.name', 'metadata.path_display', 'metadata.size'],
    },
    // Idempotent: a file with the same content is neither written again nor a conflict, says the documentation of WriteMode.
    uploadFile: {
      description:
        'Upload a stored file to a path; folders on the way are created. An existing file stays, unless it is to be overwritten.',
      input: z.strictObject({
        path: newPath.describe('Path of the new file, such as /Teas/list.txt'),
        mode: z.enum(['add', 'overwrite']).default('add').describe('add: refused where another file is'),
        file: fileId('The file'),
      }),
      request: ({ file, ...target }) => ({
        method: 'POST',
        path: '/files/upload',
        headers: { 'Dropbox-API-Arg': toHeader(target) },
        body: { file },
      }),
      baseUrl: 'https://content.dropboxapi.com/2',
      bodyFormat: 'raw',
      files: ['file'],
      effect: 'idempotent',
      scopes: ['files.content.write'],
      keep: ['id', 'name', 'path_display', 'size', 'rev'],
    },
    createFolder: {
      description:
        'Create an empty folder, and those on the way to it. Refused where there is one already. Returns its id.',
      input: z.strictObject({ path: newPath.describe('Path of the new folder, such as /Teas/Green') }),
      request: 'POST /files/create_folder_v2',
      effect: 'unsafe',
      scopes: ['files.content.write'],
      result: 'metadata',
      keep: ['id', 'name', 'path_display'],
    },
    createSharedLink: {
      description:
        'Create a lasting link to a file or folder, for everybody unless it is limited. Refused where there is one already.',
      input: z.strictObject({
        path,
        settings: z
          .strictObject({
            expires: z.iso.datetime().describe('Only for paid accounts').optional(),
            link_password: z.string().min(1).describe('With require_password').optional(),
            require_password: z.boolean().optional(),
            allow_download: z.boolean().optional(),
          })
          .optional(),
      }),
      request: 'POST /sharing/create_shared_link_with_settings',
      effect: 'unsafe',
      scopes: ['sharing.write'],
      keep: ['url', 'name', 'path_lower', 'expires'],
    },
    deleteItem: {
      description:
        'Delete a file, or a folder with all that is in it. It can be restored for 30 days or longer, depending on the account.',
      input: z.strictObject({
        path,
        parent_rev: z.string().describe('Only if the file still has this revision').optional(),
      }),
      request: 'POST /files/delete_v2',
      effect: 'idempotent',
      destructive: true,
      scopes: ['files.content.write'],
      result: 'metadata',
      keep: keptEntry,
    },
  },
});
