import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/main/config.ts';
import { claimDataFolder, keepRunning } from '../../../src/main/dev/running-file.ts';
import { findRunning, joinRunning, type Running } from '../../../src/main/running.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

function toRunning(dev = process.pid): Running {
  return {
    api: 'http://127.0.0.1:3400',
    console: 'http://127.0.0.1:3400',
    temporal: { address: '127.0.0.1:7233', namespace: 'default', ui: 'http://127.0.0.1:8233' },
    postgres: { url: 'postgres://holdfast@127.0.0.1:5433/holdfast' },
    mcpConfig: '/data/mcp.json',
    pids: { dev, api: process.pid },
    joined: [],
    startedAt: new Date().toISOString(),
  };
}

function join(dataDir: string, environment: NodeJS.ProcessEnv = {}) {
  return joinRunning(loadConfig({ ...environment, HOLDFAST_DATA_DIR: dataDir }));
}

describe('running.json', () => {
  it('is read as it was written, by its owner only, until it is removed', () => {
    const dataDir = createTemporaryFolder();
    const running = toRunning();
    const remove = keepRunning(dataDir, () => running);
    const file = path.join(dataDir, 'running.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(findRunning(dataDir)).toEqual(running);
    remove();
    expect(existsSync(file)).toBe(false);
    expect(findRunning(dataDir)).toBeUndefined();
  });

  it('is ignored when the process that wrote it no longer runs', () => {
    const dataDir = createTemporaryFolder();
    keepRunning(dataDir, () => toRunning(2 ** 30));
    expect(findRunning(dataDir)).toBeUndefined();
    expect(join(dataDir).database.url).toBeUndefined();
  });

  it('connects a worker that is started by hand to the same services', () => {
    const dataDir = createTemporaryFolder();
    keepRunning(dataDir, () => toRunning());
    const { database, environment, mcpConfigPath, temporalUiUrl } = join(dataDir, {
      TEMPORAL_NAMESPACE: 'mine',
    });
    expect(temporalUiUrl).toBe('http://127.0.0.1:8233');
    expect(database.url).toBe('postgres://holdfast@127.0.0.1:5433/holdfast');
    expect(environment).toMatchObject({ TEMPORAL_ADDRESS: '127.0.0.1:7233', TEMPORAL_NAMESPACE: 'mine' });
    expect(mcpConfigPath).toBe('/data/mcp.json');
  });

  it('is used by another user of the same database', () => {
    const dataDir = createTemporaryFolder();
    keepRunning(dataDir, () => toRunning());
    const url = 'postgres://program:x@127.0.0.1:5433/holdfast';
    expect(join(dataDir, { DATABASE_URL: url })).toMatchObject({
      database: { url },
      mcpConfigPath: '/data/mcp.json',
      encryption: { file: path.join(dataDir, 'encryption-keys') },
    });
  });

  it('is not used with another database, and neither is any other file of the folder', () => {
    const dataDir = createTemporaryFolder();
    keepRunning(dataDir, () => ({ ...toRunning(), encryptPayloads: true }));
    const { environment, mcpConfigPath, encryption, encryptPayloads } = join(dataDir, {
      DATABASE_URL: 'postgres://holdfast@127.0.0.1:5433/other',
    });
    expect(environment).not.toHaveProperty('TEMPORAL_ADDRESS');
    expect({ mcpConfigPath, encryption, encryptPayloads }).toEqual({
      mcpConfigPath: undefined,
      encryption: { keys: undefined, file: undefined },
      encryptPayloads: false,
    });
  });

  it('leaves a database of its own without the key file of the folder, unless it is named', () => {
    const dataDir = createTemporaryFolder();
    const variables = { DATABASE_URL: 'postgres://holdfast@127.0.0.1:5433/other' };
    expect(join(dataDir, variables).encryption.file).toBeUndefined();
    const named = { ...variables, HOLDFAST_ENCRYPTION_KEYS_FILE: '/keys' };
    expect(join(dataDir, named).encryption.file).toBe('/keys');
  });
});

describe('a data folder', () => {
  it('is claimed once, and again after its release', () => {
    const dataDir = createTemporaryFolder();
    const release = claimDataFolder(dataDir);
    expect(() => claimDataFolder(dataDir)).toThrow(
      `Holdfast is already running over ${dataDir} (process ${process.pid}).`,
    );
    release();
    claimDataFolder(dataDir)();
  });
});
