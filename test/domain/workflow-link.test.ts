import { describe, expect, test } from 'vitest';
import { createToTemporalUrl, toWorkflowLink } from '../../src/domain/workflow-link.ts';

const toTemporalUrl = createToTemporalUrl({ url: 'https://ui.example/temporal', namespace: 'my agents' });

describe('the link to a workflow', () => {
  test('has the page of the workflow in its namespace', () => {
    expect(toWorkflowLink({ toTemporalUrl }, {}, 'turn-1/2')).toEqual({
      workflowId: 'turn-1/2',
      temporalUrl: 'https://ui.example/temporal/namespaces/my%20agents/workflows/turn-1%2F2',
    });
  });

  test('has no page without an address of the Web UI, or without a workflow', () => {
    const without = { toTemporalUrl: createToTemporalUrl({ url: undefined, namespace: 'default' }) };
    expect(toWorkflowLink(without, {}, 'turn-1')).toEqual({ workflowId: 'turn-1', temporalUrl: null });
    expect(toWorkflowLink({ toTemporalUrl }, {}, null)).toEqual({ workflowId: null, temporalUrl: null });
  });

  test('has no page for a person who sees only what belongs to them', () => {
    const ann = { actsFor: 'Ann', reach: 'own' as const };
    expect(toWorkflowLink({ toTemporalUrl }, ann, 'turn-1').temporalUrl).toBeNull();
    expect(toWorkflowLink({ toTemporalUrl }, { actsFor: 'Ann' }, 'turn-1').temporalUrl).not.toBeNull();
  });
});
