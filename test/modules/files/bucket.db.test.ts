import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { createS3Bucket } from '../../../src/platform/buckets/s3-bucket.ts';
import { createResultFileStore } from '../../../src/modules/files/create-result-file-store.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openConversation, startTurn } from '../../labs/api-lab.ts';
import { createBytes, startFileScene } from '../../labs/file-scene.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { startS3Server } from '../../servers/s3-server.ts';

const s3 = openForTests(startS3Server);
const scene = openForTests(() => startFileScene({ ...s3.environment, HOLDFAST_MAX_FILE_MEGABYTES: '20' }));

async function use(fileId: string): Promise<string> {
  const { api } = scene;
  const { conversationId } = await openConversation(api);
  const turn_id = await startTurn(api, conversationId);
  await api.database.inWorkspace(api.workspaceId, (trx) =>
    trx('file_uses').insert({ turn_id, file_id: fileId }),
  );
  await api.database.system('turns').where({ id: turn_id }).update({ status: 'completed' });
  return conversationId;
}

test('large files and parts of tool results are objects of the bucket, small ones stay in Postgres', async () => {
  const { api, upload, download } = scene;
  const small = await upload(createBytes(200_000));
  expect(await s3.listObjects()).toEqual([]);
  const keys: string[] = [];
  for (const length of [300_000, 12_000_001]) {
    const bytes = createBytes(length);
    const { status, data } = await upload(bytes, { name: 'a.bin' });
    expect([status, data.file.size]).toEqual([201, length]);
    expect((await download(data.file.id)).bytes.equals(bytes)).toBe(true);
    keys.push(`${api.workspaceId}/${data.file.id}/`);
  }
  const resultFiles = createResultFileStore(api.services.fileStorage);
  const part = createBytes(400_000);
  const { id } = await resultFiles.put({ workspaceId: api.workspaceId, bytes: part, mediaType: 'image/png' });
  keys.push(`${api.workspaceId}/${id}/`);
  expect(part.equals((await resultFiles.get({ workspaceId: api.workspaceId, id })).bytes)).toBe(true);
  expect((await s3.listObjects()).map((key) => key.replace(/[^/]+$/, '')).sort()).toEqual(keys.sort());
  expect((await download(small.data.file.id)).bytes).toEqual(createBytes(200_000));
  expect(await scene.countRows()).toEqual({ files: 4, pieces: 0 });
});

test('an upload that exceeds the limit leaves no object', async () => {
  const { upload, removeRecords, listRemoved, countRows, endPause } = scene;
  const [objects, rows] = [await s3.listObjects(), await countRows()];
  const refused = await upload(createBytes(20 * 1024 * 1024 + 1));
  expect([refused.status, refused.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(await countRows()).toEqual(rows);
  await removeRecords();
  // A request of the upload may still be on its way.
  expect(await listRemoved()).toHaveLength(1);
  await endPause();
  await removeRecords();
  expect([await s3.listObjects(), await listRemoved()]).toEqual([objects, []]);
});

test('a deleted file leaves the bucket, also when it was away meanwhile', async () => {
  const { api, upload, download, removeRecords, listRemoved, endPause, warnings } = scene;
  const { file } = (await upload(createBytes(300_000))).data;
  const prefix = `${api.workspaceId}/${file.id}/`;
  await s3.proxy.cut();
  const away = await download(file.id);
  const refused = await upload(createBytes(300_001));
  expect([refused.status, refused.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(away.status).toBe(503);
  expect((await api.call('DELETE', `/api/files/${file.id}`)).status).toBe(200);
  await removeRecords();
  expect(warnings).toContain('an object of a deleted file was not removed');
  expect((await listRemoved()).some((key) => key.startsWith(prefix))).toBe(true);
  await s3.proxy.mend();
  await removeRecords();
  expect((await listRemoved()).some((key) => key.startsWith(prefix))).toBe(true);
  await endPause();
  await removeRecords();
  expect(await listRemoved()).toEqual([]);
  expect((await s3.listObjects()).filter((key) => key.startsWith(prefix))).toEqual([]);
});

test('an object that the bucket keeps does not hold up others', async () => {
  const { api, upload, removeRecords, listRemoved, endPause } = scene;
  for (const sign of [1, 2, 3, 4]) {
    const { file } = (await upload(createBytes(300_000 + sign))).data;
    await api.call('DELETE', `/api/files/${file.id}`);
  }
  let kept: string | undefined;
  const remove = ({ key }: { key: string }) => {
    kept ??= key;
    return key === kept ? Promise.reject(new Error('it is locked')) : Promise.resolve();
  };
  await endPause();
  await removeRecords({ ...createS3Bucket(s3.settings), remove });
  expect(await listRemoved()).toEqual([kept]);
  await endPause();
  await removeRecords();
});

test('slow downloads do not keep others from the bucket', async () => {
  const { upload } = scene;
  const bucket = createS3Bucket(s3.settings);
  await upload(createBytes(300_000));
  const [key = ''] = await s3.listObjects();
  const unread = await Promise.all(Array.from({ length: 60 }, () => bucket.open({ key })));
  expect(unread).toHaveLength(60);
  await bucket.close();
});

test('a file goes with the last conversation that uses it, and an unused one after a week', async () => {
  const { api, upload, removeRecords } = scene;
  const [shared, unused, young] = await Promise.all(
    [1, 2, 3].map(async (sign) => (await upload(createBytes(300_000 + sign))).data.file.id),
  );
  const conversations = [await use(shared ?? ''), await use(shared ?? '')];
  const weekAgo = api.database.system.raw(`now() - interval '7 days 1 minute'`);
  await api.database
    .system('files')
    .whereIn('id', [shared ?? '', unused ?? ''])
    .update({ created_at: weekAgo });
  const listOwn = async () => {
    const keys = await s3.listObjects();
    return [shared, unused, young].filter((id) => keys.some((key) => key.includes(id ?? '')));
  };
  expect(await listOwn()).toEqual([shared, unused, young]);
  await api.call('DELETE', `/api/conversations/${conversations[0]}`);
  await removeRecords();
  await removeRecords();
  expect(await listOwn()).toEqual([shared, young]);
  expect((await api.call('GET', `/api/files/${shared}`)).status).toBe(200);
  await api.call('DELETE', `/api/conversations/${conversations[1]}`);
  await removeRecords();
  expect(await listOwn()).toEqual([young]);
  expect((await api.call('GET', `/api/files/${shared}`)).status).toBe(404);
});

test('an upload whose process was killed is removed after an hour', async () => {
  const { api, removeRecords, listRemoved, countRows, endPause } = scene;
  const before = await countRows();
  const row = { media_type: 'a/b', sha256: '', is_whole: false, created_by: '{}' };
  const unfinished = [1, 2].map((age) => {
    const created_at = api.database.system.raw(`now() - make_interval(mins => ?)`, [age * 40]);
    const object_key = `${api.workspaceId}/${newId()}/x`;
    return { id: newId(), workspace_id: api.workspaceId, ...row, place: 'bucket', object_key, created_at };
  });
  await api.database.system('files').insert(unfinished);
  await removeRecords();
  expect((await countRows()).files).toBe(before.files + 1);
  await api.database.system('files').where({ is_whole: false }).delete();
  await endPause();
  await removeRecords();
  expect(await listRemoved()).toEqual([]);
});

test('a program without the bucket says so, and one with another bucket names the error of the server', async () => {
  const { api, upload, removeRecords, listRemoved } = scene;
  const { file } = (await upload(createBytes(300_000))).data;
  const { database } = api;
  const read = createResultFileStore({ database }).get({ workspaceId: api.workspaceId, id: file.id });
  await expect(read).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('HOLDFAST_FILES_BUCKET is not set') as string,
  });
  const stranger = createS3Bucket({ ...s3.settings, bucket: 'another' });
  const [key = ''] = await s3.listObjects();
  await expect(stranger.open({ key })).rejects.toMatchObject({
    message: 'The bucket for files cannot be used now (NoSuchBucket). Try again shortly.',
  });
  await stranger.close();
  await api.call('DELETE', `/api/files/${file.id}`);
  expect(await listRemoved()).toHaveLength(1);
  await removeRecords();
  expect(await listRemoved()).toEqual([]);
});

// The server of the npm registry does not list the parts of uploads.
if (process.env['HOLDFAST_TEST_VERSITYGW'] !== undefined) {
  test('the parts of an upload that broke off are removed', async () => {
    const Bucket = s3.settings.bucket;
    const Key = `${newId()}/parts`;
    const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const part = { Bucket, Key, UploadId, PartNumber: 1, Body: createBytes(6_000_000) };
    await s3.client.send(new UploadPartCommand(part));
    const bucket = createS3Bucket(s3.settings);
    await bucket.remove({ key: Key, isWhole: false });
    await bucket.close();
    const { Uploads = [] } = await s3.client.send(new ListMultipartUploadsCommand({ Bucket }));
    expect(Uploads).toEqual([]);
  });
}
