import { expect, test } from 'vitest';
import type { ToolEffect } from '../../../../src/domain/tool.ts';
import { innerEffectOf } from '../../../../src/engines/tools/mcp/inner-effect.ts';

test.each<{ named?: ToolEffect; set?: ToolEffect; own?: ToolEffect[]; effect: ToolEffect }>([
  { effect: 'unsafe' },
  { named: 'read_only', effect: 'read_only' },
  { named: 'idempotent', effect: 'idempotent' },
  { named: 'read_only', set: 'unsafe', effect: 'unsafe' },
  { set: 'keyed', effect: 'keyed' },
  { own: ['keyed'], effect: 'keyed' },
  { named: 'read_only', own: ['read_only', 'unsafe'], effect: 'unsafe' },
  { named: 'read_only', set: 'keyed', own: ['unsafe'], effect: 'keyed' },
])('a call through a gateway has the effect of the tool there: %j', ({ named, set, own = [], effect }) => {
  const withEffect = (one?: ToolEffect) => (one ? { settings: { effect: one } } : {});
  expect(innerEffectOf({ named, gateway: withEffect(set), twins: own.map(withEffect) })).toBe(effect);
});
