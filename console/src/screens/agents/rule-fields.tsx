import { Checkbox } from '../../ui/checkbox.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Folded } from '../../ui/folded.tsx';
import styles from './agents.module.css';
import type { AgentDraft, PartProps } from './draft.ts';
import { findError, hasError } from './errors.ts';
import { LinesField } from './lines-field.tsx';
import { PolicyFields } from './policy-fields.tsx';

type Rules = AgentDraft['rules'];

const blocks = [
  { value: 'continue', text: 'The model gets the error, and continues' },
  { value: 'end_turn', text: 'The turn ends' },
] as const;

/** What an agent may call, with which arguments and how often, and the texts that must not leave it. */
export function RuleFields({ draft, set, errors, isReadOnly }: PartProps) {
  const { rules, tools } = draft;
  const change = (part: Partial<Rules>) => set({ rules: { ...rules, ...part } });
  return (
    <Folded title="Rules" summary={toSummary(rules)} isNeeded={hasError(errors, 'rules')}>
      <fieldset className={styles.set} disabled={isReadOnly}>
        <legend>Allowlist</legend>
        <Checkbox
          label="Only these tools may be called"
          isChecked={rules.toolAllowlist !== undefined}
          onChange={(isChecked) =>
            change({ toolAllowlist: isChecked ? tools.map(({ name }) => name) : undefined })
          }
        />
      </fieldset>
      {rules.toolAllowlist && (
        <LinesField
          label="Tools that may be called"
          hint="One a line; server:tool or server:* for those behind a gateway."
          value={rules.toolAllowlist}
          onChange={(toolAllowlist) => change({ toolAllowlist })}
          error={findError(errors, 'rules.toolAllowlist')}
          isReadOnly={isReadOnly}
        />
      )}
      <PolicyFields
        policies={rules.toolPolicies ?? {}}
        onChange={(toolPolicies) => change({ toolPolicies })}
        names={tools.map(({ name }) => name)}
        errors={errors}
        isReadOnly={isReadOnly}
      />
      <LinesField
        label="Canary tokens"
        hint="One a line, 8 characters or more. They are put into the instructions; what contains one is stopped."
        value={rules.canaryTokens ?? []}
        onChange={(canaryTokens) => change({ canaryTokens })}
        error={findError(errors, 'rules.canaryTokens')}
        isReadOnly={isReadOnly}
      />
      <LinesField
        label="Rules for later"
        hint="The tools of rules that the agent does not have yet, one a line."
        value={rules.forLater ?? []}
        onChange={(names) => change({ forLater: names.length === 0 ? undefined : names })}
        error={findError(errors, 'rules.forLater')}
        isReadOnly={isReadOnly}
      />
      <Choice
        label="When a rule blocks a call"
        value={rules.onBlocked ?? 'continue'}
        options={blocks}
        onChange={(onBlocked) => change({ onBlocked })}
        isDisabled={isReadOnly}
      />
    </Folded>
  );
}

function toSummary({ toolAllowlist, toolPolicies = {}, canaryTokens = [] }: Rules): string {
  const policies = Object.keys(toolPolicies).length;
  const parts = [
    toolAllowlist && `${toolAllowlist.length} allowed`,
    policies > 0 && (policies === 1 ? '1 policy' : `${policies} policies`),
    canaryTokens.length > 0 && (canaryTokens.length === 1 ? '1 canary' : `${canaryTokens.length} canaries`),
  ];
  return parts.filter(Boolean).join(', ') || 'none';
}
