import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The memory of the API and the times of uploads. */
export interface FilesMeasures {
  /** The resident memory of the API before the first upload, in MiB. */
  idleMiB: number;
  /** Its resident memory while files are uploaded, every 100 ms, in the order of time. */
  samplesMiB: number[];
  /** The time of each upload in milliseconds. */
  uploadMs: number[];
  /** The same for downloads. */
  downloadMs: number[];
  totalMs: number;
}

interface MeasuredApi {
  origin: string;
  apiKey: string;
  pid: number;
}

interface FilesLoad {
  uploads: number;
  bytes: number;
  /** How many files are uploaded at the same time. */
  atOnce: number;
  downloads: number;
}

const mebibyte = 1024 ** 2;
const sampleMs = 100;

/** Uploads files of random bytes, then downloads some of them, and samples the memory of the API meanwhile. */
export async function measureFiles(
  api: MeasuredApi,
  { uploads, bytes, atOnce, downloads }: FilesLoad,
): Promise<FilesMeasures> {
  const content = new Blob([randomFillSync(new Uint8Array(bytes))]);
  // The first upload loads code; it is not counted.
  await upload(api, content.slice(0, mebibyte));
  const idleMiB = readResidentMiB(api.pid);
  const samplesMiB: number[] = [];
  const timer = setInterval(() => samplesMiB.push(readResidentMiB(api.pid)), sampleMs);
  try {
    const startedAt = performance.now();
    const ids: string[] = [];
    const uploadMs = await inLanes(uploads, atOnce, async () => void ids.push(await upload(api, content)));
    const totalMs = performance.now() - startedAt;
    const downloadMs = await inLanes(downloads, atOnce, () => download(api, ids.pop() ?? '', bytes));
    return { idleMiB, samplesMiB, uploadMs, downloadMs, totalMs };
  } finally {
    clearInterval(timer);
  }
}

/** Runs work so often, some at the same time, and returns the time of each. */
async function inLanes(count: number, lanes: number, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let begun = 0;
  const runLane = async () => {
    while (begun < count) {
      begun += 1;
      const startedAt = performance.now();
      await work();
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return times;
}

async function upload({ origin, apiKey }: MeasuredApi, content: Blob): Promise<string> {
  const body = new FormData();
  body.append('file', content, 'random.bin');
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${origin}/api/files`, { method: 'POST', headers, body });
  const answer = (await response.json()) as { data: { file: { id: string; size: number } } };
  if (response.status !== 201 || answer.data.file.size !== content.size)
    throw new Error(`the upload was answered with ${response.status}: ${JSON.stringify(answer)}`);
  return answer.data.file.id;
}

async function download({ origin, apiKey }: MeasuredApi, id: string, bytes: number): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${origin}/api/files/${id}/content`, { headers });
  const { byteLength } = await response.arrayBuffer();
  if (byteLength !== bytes) throw new Error(`expected ${bytes} bytes, found ${byteLength}`);
}

function readResidentMiB(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error(`process ${pid} has no resident memory`);
  return Number(kibibytes) / 1024;
}
