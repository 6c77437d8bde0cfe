import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { toBareEnvironment } from './bare-environment.ts';
import { findFreePort } from './ports.ts';
import { startProcess, type ManagedProcess } from './processes.ts';
import { siblingOf } from './sibling-of.ts';
import { waitForHttp } from './wait-for-ready.ts';

const resolve = createRequire(import.meta.url).resolve;

interface DemoToolsOptions {
  dataDir: string;
  environment: NodeJS.ProcessEnv;
  noteFolder: string;
}

/** The MCP servers of the demo agent. */
export interface DemoTools {
  /** The MCP catalogue that names them. */
  mcpConfigPath: string;
  /** Undefined where the demo servers are not installed. */
  process?: ManagedProcess;
}

/** The files of the demo MCP servers. */
interface DemoServers {
  everything: string;
  filesystem: string;
}

/** Finds the demo MCP servers, which are packages of the clone; projects that depend on Holdfast do not get them. */
export function findDemoServers(): DemoServers | undefined {
  try {
    return {
      everything: resolve('@modelcontextprotocol/server-everything/dist/index.js'),
      filesystem: resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
    };
  } catch {
    return undefined;
  }
}

/**
 * Starts the demo MCP server `everything` on a free port, and writes the catalogue with it and with a
 * `filesystem` server that sees one folder. Without these servers the catalogue is empty.
 */
export async function startDemoTools({
  dataDir,
  environment,
  noteFolder,
}: DemoToolsOptions): Promise<DemoTools> {
  const servers = findDemoServers();
  if (servers === undefined) return { mcpConfigPath: writeCatalogue(dataDir, {}) };
  const port = await findFreePort();
  const server = await startProcess({
    name: 'mcp',
    file: process.execPath,
    arguments: [
      `--import=${siblingOf(import.meta.filename, 'loopback-only')}`,
      servers.everything,
      'streamableHttp',
    ],
    // One of its tools shows its environment to any caller.
    environment: { ...toBareEnvironment(environment), PORT: String(port) },
    output: { logFile: path.join(dataDir, 'logs', 'mcp.log') },
    noteFolder,
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await waitForHttp(url, server, (status) => status > 0);
  const filesystem = toFilesystemEntry(dataDir, servers.filesystem);
  const mcpConfigPath = writeCatalogue(dataDir, { everything: { type: 'http', url }, filesystem });
  return { mcpConfigPath, process: server };
}

function toFilesystemEntry(dataDir: string, program: string) {
  const files = path.join(dataDir, 'files');
  mkdirSync(files, { recursive: true });
  const welcome = path.join(files, 'welcome.txt');
  if (!existsSync(welcome))
    writeFileSync(welcome, 'Welcome to Holdfast. The demo agent can read this folder.\n');
  return { command: process.execPath, args: [program, files], cwd: files };
}

function writeCatalogue(dataDir: string, mcpServers: Record<string, object>): string {
  const file = path.join(dataDir, 'mcp.json');
  writeFileSync(file, `${JSON.stringify({ mcpServers }, null, 2)}\n`, { mode: 0o600 });
  return file;
}
