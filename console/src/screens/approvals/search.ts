/** The views of the screen. */
export const approvalTabs = ['waiting', 'decided', 'remembered'] as const;

/** The ways in which actions end. */
export const endStatuses = ['approved', 'rejected', 'answered', 'expired', 'cancelled'] as const;
export type EndStatus = (typeof endStatuses)[number];

/** What the screen shows. */
export interface ApprovalsSearch {
  tab: (typeof approvalTabs)[number];
  /** The id of the action that is opened among those that wait. */
  action?: string;
  /** The id of the action that is opened among those that were decided. */
  decided?: string;
  /** How the actions that were decided have ended. */
  status?: EndStatus;
  /** Whether remembered approvals that have ended are listed, too. */
  over?: 'shown';
}

/** Reads what the screen shows from an address. */
export function parseApprovalsSearch(
  given: Record<string, unknown>,
): ApprovalsSearch & Record<string, unknown> {
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? { [name]: value } : {};
  };
  const status = endStatuses.find((one) => one === given['status']);
  return {
    tab: approvalTabs.find((tab) => tab === given['tab']) ?? 'waiting',
    ...text('action'),
    ...text('decided'),
    ...(status === undefined ? {} : { status }),
    ...(given['over'] === 'shown' ? { over: 'shown' as const } : {}),
  };
}
