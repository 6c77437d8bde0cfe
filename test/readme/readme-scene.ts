import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { inject } from 'vitest';
import { findRunning } from '../../src/main/running.ts';
import { createHttpUser, type HttpUser } from '../labs/http-user.ts';
import { typeCommand, type TypedCommand } from '../labs/typed-command.ts';
import type { Project } from './packed-package.ts';
import { writePageFiles } from './tool-pages.ts';
import { holdUsualPorts, type OtherPrograms } from './usual-ports.ts';

/** A folder with the files of all pages, in which `npm start` runs while other programs hold the usual ports. */
export interface ReadmeScene {
  folder: string;
  dataDir: string;
  start: TypedCommand;
  /** The address of the API. */
  origin: string;
  /** The variables of the file that `npm start` writes. */
  variables: Record<string, string>;
  user: HttpUser;
  /** A project in the folder that has Holdfast as a package. */
  project: Project;
  others: OtherPrograms;
  stop: () => Promise<void>;
}

/** Starts what the first block of README.md starts, and creates the project in its folder meanwhile. */
export async function startReadmeScene(
  createProject: (folder: string) => Promise<Project>,
): Promise<ReadmeScene> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-test-'));
  const dataDir = path.join(folder, 'data');
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  writePageFiles(folder);
  const others = stack.use(await holdUsualPorts());
  // The test replaces the folders, since they are those of the clone.
  const start = stack.use(
    typeCommand(`npm start -- --data '${dataDir}'`, {
      variables: {
        HOLDFAST_TEMPORAL_CLI: inject('temporalBinary'),
        HOLDFAST_AGENTS: path.join(folder, 'agents'),
        HOLDFAST_FUNCTIONS: path.join(folder, 'functions'),
        HOLDFAST_WORKFLOWS_CONFIG: path.join(folder, 'workflows.json'),
      },
    }),
  );
  const [project] = await Promise.all([createProject(folder), start.printed('Ctrl-C stops everything.')]);
  const origin = findRunning(dataDir)?.api ?? 'nothing runs';
  const variables = parseEnv(readFileSync(path.join(dataDir, 'env'), 'utf8')) as Record<string, string>;
  const user = createHttpUser({ origin, apiKey: variables['HOLDFAST_API_KEY'] ?? '' });
  const parts = { folder, dataDir, start, origin, variables, user, project, others };
  const opened = stack.move();
  return { ...parts, stop: () => opened.disposeAsync() };
}

/** Opens a conversation with an agent. */
export async function openConversation({ user }: ReadmeScene, agent = 'Demo agent'): Promise<string> {
  const { agents } = (await user.request('/api/agents')) as { agents: { id: string; name: string }[] };
  const agentId = agents.find(({ name }) => name === agent)?.id;
  const { conversation } = (await user.request('/api/conversations', { agentId })) as {
    conversation: { id: string };
  };
  return conversation.id;
}

/** Holds a turn with the demo agent, and returns its id. */
export async function holdTurn(scene: ReadmeScene, message: string): Promise<string> {
  const path = `/api/conversations/${await openConversation(scene)}/turns?wait=true`;
  const { turn } = (await scene.user.request(path, { message })) as { turn: { id: string } };
  return turn.id;
}
