import { caseFileId, type ProviderRequests } from './request-case.ts';

const fileId = '1Tea';
const fields =
  'id%2Cname%2CmimeType%2Cdescription%2Cparents%2Csize%2Ctrashed%2Cstarred%2Cshared' +
  '%2Cowners%28emailAddress%29%2CcreatedTime%2CmodifiedTime%2CwebViewLink';

export const googleDriveRequests: ProviderRequests = {
  headers: { accept: 'application/json' },
  cases: {
    listFiles: {
      input: { q: "name contains 'tea'", orderBy: 'modifiedTime desc', max_items: 10 },
      method: 'GET',
      target:
        `/files?supportsAllDrives=true&includeItemsFromAllDrives=true&fields=nextPageToken%2Cfiles%28${fields}%29` +
        '&q=name+contains+%27tea%27&orderBy=modifiedTime+desc&pageSize=10',
    },
    getFile: {
      input: { fileId },
      method: 'GET',
      target: `/files/1Tea?supportsAllDrives=true&fields=${fields}`,
    },
    downloadFile: {
      input: { fileId },
      method: 'GET',
      target: '/files/1Tea?supportsAllDrives=true&alt=media',
      headers: { accept: '*/*' },
    },
    readDocument: {
      input: { fileId, mimeType: 'text/markdown' },
      method: 'GET',
      target: '/files/1Tea/export?mimeType=text%2Fmarkdown',
      headers: { accept: '*/*' },
    },
    exportDocument: {
      input: { fileId, mimeType: 'application/pdf' },
      method: 'GET',
      target: '/files/1Tea/export?mimeType=application%2Fpdf',
      headers: { accept: '*/*' },
    },
    createFile: {
      input: { name: 'Teas', mimeType: 'application/vnd.google-apps.folder', parents: ['1Root'] },
      method: 'POST',
      target: `/files?supportsAllDrives=true&fields=${fields}`,
      body: '{"name":"Teas","mimeType":"application/vnd.google-apps.folder","parents":["1Root"]}',
    },
    uploadFile: {
      input: { name: 'Teas', parents: ['1Root'], file: caseFileId },
      method: 'POST',
      target: `/files?supportsAllDrives=true&fields=${fields}&uploadType=multipart`,
      contentType: 'multipart/related',
      bodyHas: [
        'Content-Type: application/json; charset=UTF-8\r\n\r\n{"name":"Teas","parents":["1Root"]}',
        'Content-Type: text/plain\r\n\r\nTea at four',
      ],
    },
    updateFile: {
      input: { fileId, name: 'Old teas', trashed: false, addParents: '1New', removeParents: '1Old' },
      method: 'PATCH',
      target: `/files/1Tea?supportsAllDrives=true&fields=${fields}&addParents=1New&removeParents=1Old`,
      body: '{"name":"Old teas","trashed":false}',
      destructive: true,
    },
    copyFile: {
      input: { fileId, name: 'Tea list of May' },
      method: 'POST',
      target: `/files/1Tea/copy?supportsAllDrives=true&fields=${fields}`,
      body: '{"name":"Tea list of May"}',
    },
    shareFile: {
      input: {
        fileId,
        type: 'user',
        role: 'reader',
        emailAddress: 'ana@example.com',
        emailMessage: 'For you',
      },
      method: 'POST',
      target:
        '/files/1Tea/permissions?supportsAllDrives=true&fields=id%2Ctype%2Crole%2CemailAddress%2Cdomain%2CexpirationTime' +
        '&emailMessage=For+you',
      body: '{"type":"user","role":"reader","emailAddress":"ana@example.com"}',
    },
    deleteFile: {
      input: { fileId },
      method: 'DELETE',
      target: '/files/1Tea?supportsAllDrives=true',
      destructive: true,
    },
  },
};
