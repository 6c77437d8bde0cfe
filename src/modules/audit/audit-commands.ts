import { operation, type CommandTable } from '../../clients/cli/command-table.ts';

/** The commands of the audit log. */
export const commands: CommandTable = {
  audit: 'Read and check the audit log.',
  'audit list': operation('listAuditEvents', {
    description: 'List what was done in the workspace, newest first.',
    fields: { subjectId: { flags: '--about <id>' }, from: 'at this time or later' },
    limit: () => '100',
    none: 'No event fits.',
    line: ({ seq, createdAt, type, subjectId }) => [seq, createdAt, type.padEnd(24), subjectId ?? ''],
  }),
};
