import type { Agent } from '../../clients/client/index.ts';
import type { ChatServices } from '../../clients/cli/chat-services.ts';
import { confirm } from '../../clients/cli/confirm.ts';
import { findOneAgent } from '../../clients/cli/find-agent.ts';
import { toCount } from '../../clients/cli/format.ts';
import { readAll } from '../../clients/cli/pages.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

type CommandServices = Pick<ChatServices, 'client' | 'terminal' | 'context'>;

/** Lists the agents, one line each. */
export async function listAgents({ client, terminal }: CommandServices, options: OutputOptions) {
  const agents = await readAll((page) => client.agents.list(page));
  if (options.json) {
    printJson(terminal, agents);
    return;
  }
  if (agents.length === 0) terminal.line('There is no agent yet.');
  for (const agent of agents) terminal.line(toLine(agent));
}

function toLine({ id, name, model, version, tools }: Agent): string {
  return `${id}  ${name}  ${model}  version ${version}  ${toCount(tools.length, 'tool')}`;
}

/** Gives an agent, by its id or name, another name: it gets a new version. */
export async function renameAgent(
  { client, terminal }: CommandServices,
  { agent: idOrName, name }: { agent: string; name: string },
  options: OutputOptions,
) {
  const agent = await findOneAgent(client, idOrName);
  const renamed = await client.agents.update(agent.id, { name });
  if (options.json) printJson(terminal, renamed);
  else terminal.line(`Agent ${agent.id} is named "${renamed.name}" now, in version ${renamed.version}.`);
}

/** Deletes an agent, by its id or name, after a question. */
export async function deleteAgent(
  { client, terminal, context }: CommandServices,
  idOrName: string,
  { yes, json }: OutputOptions & { yes?: boolean },
) {
  const { id, name } = await findOneAgent(client, idOrName);
  const question = `Delete the agent "${name}" (${id})? Its conversations can still be read.`;
  await confirm(question, { context, yes, json, refusal: 'Nothing was deleted.' });
  await client.agents.delete(id);
  if (json) printJson(terminal, { deleted: true });
  else terminal.line(`Agent "${name}" (${id}) is deleted.`);
}
