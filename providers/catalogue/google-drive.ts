import { z } from 'zod';
import type { NeededScope } from '../../src/domain/scopes.ts';
import { defineProvider, fileId as storedFile } from '../../src/engines/providers/define-provider.ts';
import { googleOAuth } from '../google-oauth.ts';

const fileId = z.string().min(1).describe('Id of the file or folder');
const name = z.string().min(1).max(1000);
const description = z.string().optional();
const starred = z.boolean().optional();
const parents = z.array(z.string()).max(1).describe('Id of the folder; without it My Drive').optional();
const keptFile = [
  ...['id', 'name', 'mimeType', 'description', 'parents', 'size', 'trashed', 'starred', 'shared'],
  ...['owners.emailAddress', 'createdTime', 'modifiedTime', 'webViewLink'],
];
const fileFields =
  'id,name,mimeType,description,parents,size,trashed,starred,shared,owners(emailAddress),createdTime,modifiedTime,webViewLink';
// Without `fields` Google returns ids, names and types only; without `supportsAllDrives` shared drives are not found.
const fixed = { supportsAllDrives: true, fields: fileFields };
const query = ['supportsAllDrives', 'fields'];
const drive = 'https://www.googleapis.com/auth/drive';
const content: NeededScope[] = [[`${drive}.readonly`, drive, `${drive}.file`]];
const metadata: NeededScope[] = [
  [`${drive}.readonly`, drive, `${drive}.file`, `${drive}.metadata.readonly`, `${drive}.metadata`],
];
const writing: NeededScope[] = [[drive, `${drive}.file`]];

const creating = { fixed, query, effect: 'unsafe', scopes: writing, keep: keptFile } as const;

export const googleDrive = defineProvider({
  name: 'google-drive',
  title: 'Google Drive',
  description: 'Find, read, organize and share files of Google Drive.',
  category: 'storage',
  baseUrl: 'https://www.googleapis.com/drive/v3',
  auth: {
    types: ['oauth2_authorization_code', 'bearer'],
    oauth: googleOAuth,
    hint: 'An OAuth client of a Google Cloud project with the Google Drive API switched on.',
  },
  setup: [
    'Open the [Google Cloud console](https://console.cloud.google.com), choose a project and switch on the **Google Drive API**.',
    'Fill in the *OAuth consent screen*. Outside of your own organization, Google verifies apps with scopes of files.',
    'Under *Credentials*, create an **OAuth client ID** for a *Web application*.',
  ],
  verify: { request: 'GET /about', query: { fields: 'user' }, account: ['user.emailAddress'] },
  // https://developers.google.com/workspace/drive/api/guides/handle-errors
  throttle: { when: { at: 'error.errors.0.reason', oneOf: ['userRateLimitExceeded', 'rateLimitExceeded'] } },
  errors: { message: ['error.message', 'error_description'] },
  operations: {
    listFiles: {
      description:
        "List or search files and folders, such as name contains 'plan' and trashed = false. Returns ids, types and addresses, not the content.",
      input: z.strictObject({
        q: z
          .string()
          .describe(
            "A query of Google Drive: fullText contains 'tea', 'FOLDER_ID' in parents, mimeType = '…'",
          )
          .optional(),
        orderBy: z.string().describe('Such as modifiedTime desc, or name').optional(),
      }),
      request: 'GET /files',
      fixed: {
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
        fields: `nextPageToken,files(${fileFields})`,
      },
      effect: 'read_only',
      scopes: metadata,
      paging: {
        style: 'cursor',
        field: 'pageToken',
        next: 'nextPageToken',
        items: 'files',
        size: { field: 'pageSize', max: 1000 },
      },
      keep: keptFile,
    },
    getFile: {
      description:
        'Get the name, type, folder, size, owners and address of a file or folder by its id. For the content, use readDocument or downloadFile.',
      input: z.strictObject({ fileId }),
      request: 'GET /files/{fileId}',
      fixed,
      effect: 'read_only',
      scopes: metadata,
      keep: keptFile,
    },
    downloadFile: {
      description:
        'Download a file that is not a Google document, such as a PDF or an image, and store it. Returns the id of the stored file.',
      input: z.strictObject({ fileId }),
      request: 'GET /files/{fileId}',
      fixed: { supportsAllDrives: true, alt: 'media' },
      headers: { Accept: '*/*' },
      answer: 'file',
      effect: 'read_only',
      scopes: content,
    },
    readDocument: {
      description:
        'Read the text of a Google document, sheet or presentation, of up to 10 MB. Other files have no text here: use downloadFile.',
      input: z.strictObject({
        fileId,
        mimeType: z
          .enum(['text/plain', 'text/markdown', 'text/csv', 'text/html'])
          .default('text/plain')
          .describe('text/csv reads the first sheet of a spreadsheet; text/markdown is for documents'),
      }),
      request: 'GET /files/{fileId}/export',
      headers: { Accept: '*/*' },
      effect: 'read_only',
      scopes: content,
    },
    exportDocument: {
      description:
        'Convert a Google document, sheet or presentation into a file of another format, and store it. Returns the id of the stored file.',
      input: z.strictObject({
        fileId,
        mimeType: z
          .string()
          .min(1)
          .describe('Such as application/pdf, or the type of a Word, Excel or PowerPoint file'),
      }),
      request: 'GET /files/{fileId}/export',
      headers: { Accept: '*/*' },
      answer: 'file',
      effect: 'read_only',
      scopes: content,
    },
    createFile: {
      description:
        'Create a folder, or an empty Google document, sheet or presentation. Returns its id and address. Uploads no content: use uploadFile.',
      input: z.strictObject({
        name,
        mimeType: z.enum([
          'application/vnd.google-apps.folder',
          'application/vnd.google-apps.document',
          'application/vnd.google-apps.spreadsheet',
          'application/vnd.google-apps.presentation',
        ]),
        parents,
        description,
      }),
      request: 'POST /files',
      ...creating,
    },
    uploadFile: {
      description:
        'Upload a stored file, such as a PDF, into a folder. Returns its id and address. Makes a new file, also where one has the name.',
      input: z.strictObject({
        name,
        parents,
        description,
        mimeType: z
          .enum(['application/vnd.google-apps.document', 'application/vnd.google-apps.spreadsheet'])
          .describe('Convert it to a Google document or sheet; without it the file stays as it is')
          .optional(),
        file: storedFile('The file'),
      }),
      // https://developers.google.com/workspace/drive/api/guides/manage-uploads#multipart
      request: 'POST /files',
      baseUrl: 'https://www.googleapis.com/upload/drive/v3',
      ...{ ...creating, fixed: { ...fixed, uploadType: 'multipart' }, query: [...query, 'uploadType'] },
      ...{ bodyFormat: 'related', files: ['file'] },
    },
    updateFile: {
      description:
        'Rename, describe, star or move a file or folder, or put it into the trash and back. Does not change its content.',
      input: z.strictObject({
        fileId,
        name: name.optional(),
        description,
        starred,
        trashed: z.boolean().describe('true: into the trash').optional(),
        addParents: z.string().describe('Id of the folder to move it to').optional(),
        removeParents: z.string().describe('Id of the folder to move it from').optional(),
      }),
      request: 'PATCH /files/{fileId}',
      fixed,
      query: [...query, 'addParents', 'removeParents'],
      effect: 'idempotent',
      destructive: true,
      scopes: writing,
      keep: keptFile,
    },
    copyFile: {
      description:
        'Copy a file, for example a template, into a folder. Returns the copy. Folders cannot be copied.',
      input: z.strictObject({
        fileId,
        name: name.describe('Name of the copy').optional(),
        parents,
        description,
      }),
      request: 'POST /files/{fileId}/copy',
      ...creating,
    },
    shareFile: {
      description:
        'Give a person, a group, a domain or everybody access to a file or folder. People get a mail unless told otherwise.',
      input: z.strictObject({
        fileId,
        type: z.enum(['user', 'group', 'domain', 'anyone']),
        role: z.enum(['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer']),
        emailAddress: z.email().describe('For user and group').optional(),
        domain: z.string().describe('For domain').optional(),
        expirationTime: z.iso.datetime().describe('Only for user and group').optional(),
        sendNotificationEmail: z.boolean().optional(),
        emailMessage: z.string().describe('A text in the mail').optional(),
      }),
      request: 'POST /files/{fileId}/permissions',
      fixed: { supportsAllDrives: true, fields: 'id,type,role,emailAddress,domain,expirationTime' },
      query: [...query, 'sendNotificationEmail', 'emailMessage'],
      effect: 'unsafe',
      scopes: writing,
      keep: ['id', 'type', 'role', 'emailAddress', 'domain', 'expirationTime'],
    },
    deleteFile: {
      description:
        'Delete a file, or a folder with all that is in it, for good. To be able to take it back, put it into the trash with updateFile.',
      input: z.strictObject({ fileId }),
      request: 'DELETE /files/{fileId}',
      fixed: { supportsAllDrives: true },
      effect: 'idempotent',
      scopes: writing,
    },
  },
});
