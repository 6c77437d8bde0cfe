import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const established = '01';

/** Counts the TCP connections of a process to a port of this machine; 0 on systems other than Linux. */
export function countConnections(pid: number, port: number): number {
  if (process.platform !== 'linux') return 0;
  const folder = `/proc/${pid}/fd`;
  const sockets = listSockets(port);
  return readdirSync(folder).filter((file) => sockets.has(readLink(`${folder}/${file}`))).length;
}

/** The fields of a line of /proc/net/tcp: slot, local address, remote address, state, …, and the inode as the tenth. */
function listSockets(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1),
  );
  const open = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote = '', state]) => remote.endsWith(suffix) && state === established);
  return new Set(open.map((fields) => `socket:[${fields[9]}]`));
}

/** A file may be closed between two looks. */
function readLink(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
