import type { Knex } from 'knex';
import * as initial from '../../migrations/0001-initial.ts';
import * as connectionsAndRules from '../../migrations/0002-connections-and-rules.ts';
import * as knowledge from '../../migrations/0003-knowledge.ts';
import * as missingIndexes from '../../migrations/0004-missing-indexes.ts';
import * as outagesAndWaits from '../../migrations/0005-outages-and-waits.ts';
import * as fairDocuments from '../../migrations/0006-fair-documents.ts';
import * as rulesOfTurnsAbove from '../../migrations/0007-rules-of-turns-above.ts';
import * as installation from '../../migrations/0008-installation.ts';
import * as deletionAndAuditLanes from '../../migrations/0009-deletion-and-audit-lanes.ts';
import * as bytesOfTools from '../../migrations/0010-bytes-of-tools.ts';
import * as refreshLease from '../../migrations/0011-refresh-lease.ts';
import * as failedAttempts from '../../migrations/0012-failed-attempts.ts';
import * as plansOfNewDatabases from '../../migrations/0013-plans-of-new-databases.ts';
import * as pendingActions from '../../migrations/0014-pending-actions.ts';
import * as webhooks from '../../migrations/0015-webhooks.ts';
import * as questions from '../../migrations/0016-questions.ts';
import * as approvalGrants from '../../migrations/0017-approval-grants.ts';
import * as steering from '../../migrations/0018-steering.ts';
import * as slackChannels from '../../migrations/0019-slack-channels.ts';
import * as indexesOfActions from '../../migrations/0020-indexes-of-actions.ts';
import * as recordings from '../../migrations/0021-recordings.ts';
import * as replays from '../../migrations/0022-replays.ts';
import * as forks from '../../migrations/0023-forks.ts';
import * as copiedFiles from '../../migrations/0024-copied-files.ts';
import * as routines from '../../migrations/0025-routines.ts';
import * as credits from '../../migrations/0026-credits.ts';
import * as resources from '../../migrations/0027-resources.ts';
import * as swarms from '../../migrations/0028-swarms.ts';
import * as schedules from '../../migrations/0029-schedules.ts';
import * as fairness from '../../migrations/0030-fairness.ts';
import * as messages from '../../migrations/0031-messages.ts';
import * as callersRoutines from '../../migrations/0032-routines-of-callers.ts';
import * as routineMakers from '../../migrations/0033-routine-makers.ts';
import * as limitsAndMessagesOfSwarms from '../../migrations/0034-limits-and-messages-of-swarms.ts';
import * as scheduledRoutines from '../../migrations/0035-scheduled-routines.ts';
import * as listsByTime from '../../migrations/0036-lists-by-time.ts';
import * as costsOfEmbeddings from '../../migrations/0038-costs-of-embeddings.ts';
import * as triggers from '../../migrations/0040-triggers.ts';
import * as variablesOfConnections from '../../migrations/0041-variables-of-connections.ts';
import * as rulesOfSwarms from '../../migrations/0042-rules-of-swarms.ts';
import * as importedProviders from '../../migrations/0043-imported-providers.ts';
import * as modelSettings from '../../migrations/0044-model-settings.ts';
import * as files from '../../migrations/0045-files.ts';
import * as messageParts from '../../migrations/0046-message-parts.ts';
import * as structuredAnswers from '../../migrations/0047-structured-answers.ts';
import * as compactions from '../../migrations/0048-compactions.ts';
import * as modelFigures from '../../migrations/0049-model-figures.ts';
import * as attemptsOfUploads from '../../migrations/0052-attempts-of-uploads.ts';
import * as plansOfCopies from '../../migrations/0053-plans-of-copies-and-imports.ts';
import * as takenMessages from '../../migrations/0054-taken-messages.ts';
import * as unsettledCalls from '../../migrations/0057-unsettled-calls.ts';
import * as estimatedUsage from '../../migrations/0062-estimated-usage.ts';
import * as stuckWorkflows from '../../migrations/0064-stuck-workflows.ts';
import * as actors from '../../migrations/0066-actors.ts';
import * as rowsOfPeople from '../../migrations/0067-rows-of-people.ts';
import * as connectionsOfActions from '../../migrations/0068-connections-of-actions.ts';
import * as conditionsOfApprovals from '../../migrations/0069-conditions-of-approvals.ts';
import * as people from '../../migrations/0070-people.ts';
import * as routineLimits from '../../migrations/0071-routine-limits.ts';
import * as budgetsForEach from '../../migrations/0072-budgets-for-each.ts';
import * as findingTurns from '../../migrations/0073-finding-turns.ts';
import * as sessions from '../../migrations/0074-sessions.ts';
import * as spendingOfRoutines from '../../migrations/0075-spending-of-routines.ts';
import * as participants from '../../migrations/0076-participants.ts';
import * as messagesOfBudgets from '../../migrations/0077-messages-of-budgets.ts';

/** Migrations have no `down`: to go back, restore the database from a backup. */
interface ForwardMigration {
  up: (knex: Knex) => Promise<void>;
  /** True when programs that do not know the migration run on its schema; see README.md. @default false */
  isCompatible?: boolean;
}

const migrations: Record<string, ForwardMigration> = {
  '0001-initial': initial,
  '0002-connections-and-rules': connectionsAndRules,
  '0003-knowledge': knowledge,
  '0004-missing-indexes': missingIndexes,
  '0005-outages-and-waits': outagesAndWaits,
  '0006-fair-documents': fairDocuments,
  '0007-rules-of-turns-above': rulesOfTurnsAbove,
  '0008-installation': installation,
  '0009-deletion-and-audit-lanes': deletionAndAuditLanes,
  '0010-bytes-of-tools': bytesOfTools,
  '0011-refresh-lease': refreshLease,
  '0012-failed-attempts': failedAttempts,
  '0013-plans-of-new-databases': plansOfNewDatabases,
  '0014-pending-actions': pendingActions,
  '0015-webhooks': webhooks,
  '0016-questions': questions,
  '0017-approval-grants': approvalGrants,
  '0018-steering': steering,
  '0019-slack-channels': slackChannels,
  '0020-indexes-of-actions': indexesOfActions,
  '0021-recordings': recordings,
  '0022-replays': replays,
  '0023-forks': forks,
  '0024-copied-files': copiedFiles,
  '0025-routines': routines,
  '0026-credits': credits,
  '0027-resources': resources,
  '0028-swarms': swarms,
  '0029-schedules': schedules,
  '0030-fairness': fairness,
  '0031-messages': messages,
  '0032-routines-of-callers': callersRoutines,
  '0033-routine-makers': routineMakers,
  '0034-limits-and-messages-of-swarms': limitsAndMessagesOfSwarms,
  '0035-scheduled-routines': scheduledRoutines,
  '0036-lists-by-time': listsByTime,
  '0038-costs-of-embeddings': costsOfEmbeddings,
  '0040-triggers': triggers,
  '0041-variables-of-connections': variablesOfConnections,
  '0042-rules-of-swarms': rulesOfSwarms,
  '0043-imported-providers': importedProviders,
  '0044-model-settings': modelSettings,
  '0045-files': files,
  '0046-message-parts': messageParts,
  '0047-structured-answers': structuredAnswers,
  '0048-compactions': compactions,
  '0049-model-figures': modelFigures,
  '0052-attempts-of-uploads': attemptsOfUploads,
  '0053-plans-of-copies-and-imports': plansOfCopies,
  '0054-taken-messages': takenMessages,
  '0057-unsettled-calls': unsettledCalls,
  '0062-estimated-usage': estimatedUsage,
  '0064-stuck-workflows': stuckWorkflows,
  '0066-actors': actors,
  '0067-rows-of-people': rowsOfPeople,
  '0068-connections-of-actions': connectionsOfActions,
  '0069-conditions-of-approvals': conditionsOfApprovals,
  '0070-people': people,
  '0071-routine-limits': routineLimits,
  '0072-budgets-for-each': budgetsForEach,
  '0073-finding-turns': findingTurns,
  '0074-sessions': sessions,
  '0075-spending-of-routines': spendingOfRoutines,
  '0076-participants': participants,
  '0077-messages-of-budgets': messagesOfBudgets,
};

/** The names of all migrations in the order in which they run. */
export const migrationNames = Object.keys(migrations).sort();

/** Returns true when programs that do not know the migration run on its schema. */
export function isCompatibleMigration(name: string): boolean {
  return migrations[name]?.isCompatible ?? false;
}

/** Migrations by names without a file extension: knex stores the name, and `.ts` against `.js` would differ. */
export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(migrationNames),
  getMigrationName: (name) => name,
  getMigration: (name) => {
    const migration = migrations[name];
    if (!migration) throw new Error(`there is no migration ${name}`);
    return Promise.resolve({
      up: migration.up,
      down: () => Promise.reject(new Error('migrations only go forward')),
    });
  },
};
