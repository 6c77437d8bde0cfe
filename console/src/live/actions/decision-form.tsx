import { useMay } from '../../app/session.tsx';
import { AnswerForm } from './answer-form.tsx';
import { ApprovalForm } from './approval-form.tsx';
import type { AskedAction } from './asked-action.ts';
import { ClientToolForm } from './client-tool-form.tsx';
import type { Deciding } from './use-decide.ts';

interface DecisionFormProps {
  action: AskedAction;
  deciding: Deciding;
  /** Whether the keys a, c and r decide about an approval. @default false */
  hasKeys?: boolean;
}

/** What a person may do about an action that waits; nothing for who may not decide about it. */
export function DecisionForm({ action, deciding, hasKeys = false }: DecisionFormProps) {
  const may = useMay();
  const { kind } = action;
  if (!may(kind === 'approval' ? 'approvals:decide' : 'conversations:write')) return null;
  if (kind === 'approval') return <ApprovalForm action={action} deciding={deciding} hasKeys={hasKeys} />;
  if (kind === 'client_tool') return <ClientToolForm deciding={deciding} />;
  return <AnswerForm action={action} deciding={deciding} />;
}
