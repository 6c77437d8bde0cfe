import path from 'node:path';
import { z } from 'zod';
import type { CommandContext } from '../clients/cli/command-context.ts';
import { getInstallationId } from '../platform/database/installation-repository.ts';
import { createInvalidInput, HoldfastError } from '../domain/errors.ts';
import { connectTemporal } from '../platform/temporal/connect-temporal.ts';
import { createDataConverter } from '../platform/temporal/data-converter.ts';
import { exportHistories } from './history-check/export-histories.ts';
import { bundleForReplay } from './history-check/bundle-for-replay.ts';
import { checkHistories, type Checked } from './history-check/check-histories.ts';
import { noteCommands } from './history-check/note-commands.ts';
import { readHistories } from './history-check/saved-history.ts';
import { installTemporalLogger } from '../platform/temporal/temporal-logger.ts';
import { type AdminCommand, type AdminFlags, reportErrors } from './admin-commands.ts';
import { createLogger } from './logger.ts';

/** The options of `holdfast histories export`. */
export interface ExportFlags extends AdminFlags {
  out: string;
  sample: string;
  seed: string;
  withTexts?: boolean;
}

const exportSchema = z.object({
  sample: z.coerce.number().int().min(1).max(10_000),
  seed: z.coerce.number().int(),
});

/** `holdfast histories export`. */
export const exportStoredHistories: AdminCommand<ExportFlags> = async ({ config, database, say }, flags) => {
  const parsed = exportSchema.safeParse(flags);
  if (!parsed.success) {
    throw createInvalidInput(
      parsed.error.issues.map(({ path: [name], message }) => ({ field: `--${String(name)}`, message })),
    );
  }
  const installationId = await getInstallationId(database.system);
  const dataConverter = createDataConverter({ ...config, installationId });
  const { client, connection } = connectTemporal(config.environment, dataConverter);
  try {
    const counts = await exportHistories({
      ...parsed.data,
      client,
      codec: dataConverter.payloadCodecs[0],
      taskQueue: config.taskQueue ?? `holdfast-${installationId}`,
      folder: path.resolve(flags.out),
      masks: !flags.withTexts,
    });
    if ([...counts.values()].some((count) => count > 0)) await noteIn(flags.out);
    for (const [type, count] of counts) say(`${count} of ${type}`);
    if ([...counts.values()].some((count) => count > 0)) return 0;
    throw new HoldfastError('NOT_FOUND', 'Temporal has no workflow of this installation.');
  } finally {
    await connection.close();
  }
};

/** `holdfast histories note`: adds to the histories of a folder the commands of the workflows of this version. */
export function noteSavedHistories(context: CommandContext, folder: string): Promise<number> {
  return reportErrors(context, async () => {
    await noteIn(folder);
    return 0;
  });
}

async function noteIn(folder: string): Promise<void> {
  installTemporalLogger(createLogger({ logLevel: 'silent' }, 'replay'));
  await noteCommands(await bundleForReplay(), path.resolve(folder));
}

/** The most differences of one history that are printed. */
const shownProblems = 5;

/**
 * `holdfast histories check`: replays the histories of a folder against the workflows of this version. Returns the exit
 * code, which is 1 when one of them differs.
 */
export function checkSavedHistories(context: CommandContext, folder: string): Promise<number> {
  return reportErrors(context, async ({ say }) => {
    const histories = readHistories(path.resolve(folder));
    // A history that differs is an error to the SDK, and would be logged with its stack.
    installTemporalLogger(createLogger({ logLevel: 'silent' }, 'replay'));
    const counts = { same: 0, differing: 0 };
    for await (const checked of checkHistories(await bundleForReplay(), histories)) {
      counts[checked.problems.length === 0 ? 'same' : 'differing'] += 1;
      describeChecked(checked).forEach(say);
    }
    if (counts.same + counts.differing !== histories.length) {
      throw new HoldfastError('INTERNAL', 'Not every history was replayed.');
    }
    say(`${histories.length} histories, ${counts.differing} of them differ.`);
    return counts.differing === 0 ? 0 : 1;
  });
}

function describeChecked({ history, workflowType, problems, additions }: Checked): string[] {
  const isSame = problems.length === 0;
  const more = problems.length - shownProblems;
  return [
    `${isSame ? 'ok     ' : 'DIFFERS'} ${history.name} (${workflowType})`,
    ...problems.slice(0, shownProblems).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(isSame ? additions.map((line) => `  new field, ${line}`) : []),
  ];
}
