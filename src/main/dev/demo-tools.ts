import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { toBareEnvironment } from './bare-environment.ts';
import { findFreePort } from './ports.ts';
import { startProcess, type ManagedProcess } from './processes.ts';
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
  process: ManagedProcess;
}

/**
 * Starts the demo MCP server `everything` on a free port, and writes the catalogue with it and with a
 * `filesystem` server that sees one folder.
 */
export async function startDemoTools({
  dataDir,
  environment,
  noteFolder,
}: DemoToolsOptions): Promise<DemoTools> {
  const port = await findFreePort();
  const server = await startProcess({
    name: 'mcp',
    file: process.execPath,
    arguments: [
      `--import=${path.join(import.meta.dirname, 'loopback-only.ts')}`,
      resolve('@modelcontextprotocol/server-everything/dist/index.js'),
      'streamableHttp',
    ],
    // One of its tools shows its environment to any caller.
    environment: { ...toBareEnvironment(environment), PORT: String(port) },
    output: { logFile: path.join(dataDir, 'logs', 'mcp.log') },
    noteFolder,
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await waitForHttp(url, server, (status) => status > 0);
  return { mcpConfigPath: writeCatalogue(dataDir, url), process: server };
}

function writeCatalogue(dataDir: string, url: string): string {
  const files = path.join(dataDir, 'files');
  mkdirSync(files, { recursive: true });
  const welcome = path.join(files, 'welcome.txt');
  if (!existsSync(welcome))
    writeFileSync(welcome, 'Welcome to Holdfast. The demo agent can read this folder.\n');
  const filesystem = {
    command: process.execPath,
    args: [resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), files],
    cwd: files,
  };
  const catalogue = { mcpServers: { everything: { type: 'http', url }, filesystem } };
  const file = path.join(dataDir, 'mcp.json');
  writeFileSync(file, `${JSON.stringify(catalogue, null, 2)}\n`, { mode: 0o600 });
  return file;
}
