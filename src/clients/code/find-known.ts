import { findNamed, type Directory } from './directory.ts';
import { cutDescription } from '../../domain/tool-description.ts';
import type { PortableAgent, PortableTool } from './portable.ts';
import type { Known } from './write-agent.ts';

/**
 * Finds the descriptions and arguments that a push would look up, by the names of the tools, so that a file need not
 * have them. A connection that does not answer is left out: then the file has them.
 */
export async function findKnown({ tools }: PortableAgent, directory: Directory): Promise<Map<string, Known>> {
  const found = await Promise.all(
    tools.map(async (tool) => [tool.name, await findOne(tool, directory)] as const),
  );
  return new Map(found.flatMap(([name, known]) => (known ? [[name, known]] : [])));
}

async function findOne(
  { type, name, config }: PortableTool,
  directory: Directory,
): Promise<Known | undefined> {
  if (type === 'function' && config.runs !== 'client') {
    const { functionName = name } = config;
    return (await directory.functions()).find((one) =>
      [one.name, ...(one.aliases ?? [])].includes(functionName),
    );
  }
  if (type === 'workflow') {
    const workflow = (await directory.workflowTypes()).find(({ id }) => id === config.workflow);
    return workflow && { description: workflow.description, schema: workflow.input };
  }
  const { connection, tool: wanted = name } = config;
  if (type !== 'mcp' || connection === undefined) return undefined;
  const found = findNamed('connection', await directory.connections(), connection);
  if ('problem' in found) return undefined;
  const offers = await directory.offers(found.id).catch(() => []);
  const offer = offers.find((one) => one.name === wanted || one.executeRef === wanted);
  return offer && { description: cutDescription(offer.description), schema: offer.inputSchema };
}
