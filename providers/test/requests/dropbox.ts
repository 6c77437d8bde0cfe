import { caseFileId, type ProviderRequests } from './request-case.ts';

export const dropboxRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listFolder: {
      input: { path: '/Teas', recursive: true },
      method: 'POST',
      target: '/files/list_folder',
      body: '{"path":"/Teas","recursive":true,"limit":100}',
    },
    search: {
      input: { query: 'green tea', options: { path: '/Teas', filename_only: true }, max_items: 20 },
      method: 'POST',
      target: '/files/search_v2',
      body: '{"query":"green tea","options":{"path":"/Teas","filename_only":true,"max_results":20}}',
    },
    getMetadata: {
      input: { path: 'id:a4ayc_80_OEAAAAAAAAAXz' },
      method: 'POST',
      target: '/files/get_metadata',
      body: '{"path":"id:a4ayc_80_OEAAAAAAAAAXz"}',
    },
    getTemporaryLink: {
      input: { path: '/Teas/list.txt' },
      method: 'POST',
      target: '/files/get_temporary_link',
      body: '{"path":"/Teas/list.txt"}',
    },
    uploadFile: {
      input: { path: '/Grüner Tee/🫖.txt', file: caseFileId },
      method: 'POST',
      target: '/files/upload',
      headers: { 'dropbox-api-arg': '{"path":"/Gr\\u00fcner Tee/\\ud83e\\uded6.txt","mode":"add"}' },
      contentType: 'application/octet-stream',
      body: 'Tea at four',
    },
    createFolder: {
      input: { path: '/Teas/Green' },
      method: 'POST',
      target: '/files/create_folder_v2',
      body: '{"path":"/Teas/Green"}',
    },
    createSharedLink: {
      input: { path: '/Teas', settings: { expires: '2026-03-01T09:00:00Z', allow_download: false } },
      method: 'POST',
      target: '/sharing/create_shared_link_with_settings',
      body: '{"path":"/Teas","settings":{"expires":"2026-03-01T09:00:00Z","allow_download":false}}',
    },
    deleteItem: {
      input: { path: '/Teas/old.txt', parent_rev: 'a1c10ce0dd78' },
      method: 'POST',
      target: '/files/delete_v2',
      body: '{"path":"/Teas/old.txt","parent_rev":"a1c10ce0dd78"}',
      destructive: true,
    },
  },
};
