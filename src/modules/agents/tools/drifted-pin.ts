import type { ToolPin } from './tool-pin-repository.ts';
import { HoldfastError } from '../../../domain/errors.ts';

/** The pin of a quarantined tool: `drift` holds the changed definition. */
interface DriftedPin extends ToolPin {
  drift: NonNullable<ToolPin['drift']>;
}

/**
 * Returns the pin of a quarantined tool.
 * @param hash the hash of the definition that the operator has seen; without it any changed definition will do
 * @throws HoldfastError `CONFLICT` for a tool that is not quarantined, or whose changed definition has another hash
 */
export function getDriftedPin(tool: string, pin: ToolPin | null, hash: string | undefined): DriftedPin {
  if (!pin?.drift) throw notQuarantined(tool);
  if (hash === undefined || hash === pin.drift.hash) return { ...pin, drift: pin.drift };
  const message =
    `The changed definition of the tool ${tool} has the hash ${pin.drift.hash}, but ${hash} was to be accepted. ` +
    'Look at the tool again.';
  throw new HoldfastError('CONFLICT', message, { details: { hash: pin.drift.hash } });
}

/** The error for a tool that has no changed definition to accept. */
export function notQuarantined(tool: string): HoldfastError {
  return new HoldfastError('CONFLICT', `The tool ${tool} is not quarantined: there is nothing to accept.`);
}
