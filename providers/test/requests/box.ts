import { caseFileId, type ProviderRequests } from './request-case.ts';

const fields =
  'id%2Ctype%2Cname%2Cdescription%2Csize%2Cparent%2Cmodified_at%2Cmodified_by%2Cowned_by%2Cshared_link';

export const boxRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    search: {
      input: { query: 'green tea', file_extensions: ['pdf', 'docx'], type: 'file', max_items: 20 },
      method: 'GET',
      target: `/search?fields=${fields}&query=green+tea&type=file&file_extensions=pdf%2Cdocx&limit=20`,
    },
    listFolder: {
      input: { sort: 'name', continue_from: 'ZmlsZS0x' },
      method: 'GET',
      target: `/folders/0/items?fields=${fields}&usemarker=true&sort=name&limit=100&marker=ZmlsZS0x`,
    },
    getFile: { input: { file_id: '12345' }, method: 'GET', target: '/files/12345' },
    uploadFile: {
      input: { attributes: { name: 'tea.txt', parent: { id: '0' } }, file: caseFileId },
      method: 'POST',
      target: '/files/content',
      contentType: 'multipart/form-data',
      bodyHas: [
        'name="attributes"',
        '{"name":"tea.txt","parent":{"id":"0"}}',
        'name="file"; filename="tea.txt"',
        'Tea at four',
      ],
    },
    createFolder: {
      input: { name: 'Teas', parent: { id: '0' } },
      method: 'POST',
      target: '/folders',
      body: '{"name":"Teas","parent":{"id":"0"}}',
    },
    shareItem: {
      input: {
        item: { type: 'folder', id: '22' },
        accessible_by: { type: 'user', login: 'ana@example.com' },
        role: 'viewer',
        notify: false,
      },
      method: 'POST',
      target: '/collaborations?notify=false',
      body: '{"item":{"type":"folder","id":"22"},"accessible_by":{"type":"user","login":"ana@example.com"},"role":"viewer"}',
    },
    addComment: {
      input: { item: { id: '12345' }, message: 'Too sweet' },
      method: 'POST',
      target: '/comments',
      body: '{"item":{"id":"12345","type":"file"},"message":"Too sweet"}',
    },
    deleteFile: { input: { file_id: '12345' }, method: 'DELETE', target: '/files/12345', destructive: true },
  },
};
