import { callDemoModel } from '../demo/demo-model.ts';
import type { LocalVendor } from '../model-vendor.ts';

/** The demo model, which answers by fixed rules and needs no account. */
export const demo: LocalVendor = { kind: 'local', callModel: callDemoModel };
