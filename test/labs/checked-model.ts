import { HoldfastError } from '../../src/domain/errors.ts';
import type { CallLanguageModel, ModelCall } from '../../src/domain/model.ts';
import { toPlainType } from '../../src/domain/model-part.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { createLanguageModelCaller } from '../../src/engines/models/create-language-model-caller.ts';
import { hostedVendors } from '../../src/engines/models/vendor-catalogue.ts';
import { answerStrictly } from '../servers/format-server.ts';

/** A model of each vendor that a request of a test is shown to, besides the server that it is for. */
const models = {
  openai: 'openai/gpt-5.4',
  anthropic: 'anthropic/claude-sonnet-5',
  google: 'google/gemini-3-pro-preview',
} as const;
type CheckedVendor = keyof typeof models;
const vendors = Object.keys(models) as CheckedVendor[];

const accounts = { openai: { apiKey: 'k' }, anthropic: { apiKey: 'k' }, google: { apiKey: 'k' } };
const standIns = createLanguageModelCaller(accounts, undefined, (_, baseUrl) => {
  const vendor = vendors.find((name) => hostedVendors.get(name)?.publicBaseUrl === baseUrl) ?? 'openai';
  return (_input, init) => {
    const body = JSON.parse(init?.body as string) as JsonObject;
    const { status, type, text } = answerStrictly(vendor, body, null);
    return Promise.resolve(new Response(text, { status, headers: { 'content-type': type } }));
  };
});

const refusals: string[] = [];

/** Throws what the vendors have refused since the last time. */
export function assertVendorsTook(): void {
  const found = [...new Set(refusals.splice(0))];
  if (found.length > 0) throw new Error(`Vendors would refuse requests of these tests: ${found.join('\n')}`);
}

/**
 * Wraps the function that calls models: the strict stand-ins of all vendors get each call first, in the form that the
 * vendor is sent. The test file fails when one refuses it.
 */
export function checkWithVendors(callModel: CallLanguageModel): CallLanguageModel {
  return async (call) => {
    const problems = await Promise.all(vendors.map((vendor) => findProblem(vendor, call)));
    refusals.push(...problems.flatMap((problem) => problem ?? []));
    return callModel(call);
  };
}

async function findProblem(vendor: CheckedVendor, call: ModelCall): Promise<string | null> {
  if (!takesFiles(vendor, call)) return null;
  const { instructions, messages, note, conversation, tools, toolChoice, responseSchema } = call;
  try {
    await standIns({
      ...{ model: models[vendor], instructions, messages, tools, idempotencyKey: call.idempotencyKey },
      ...(note !== undefined && { note }),
      ...(conversation !== undefined && { conversation }),
      ...(toolChoice && { toolChoice }),
      ...(responseSchema && { responseSchema }),
      ...{ signal: new AbortController().signal, onTextDelta: () => undefined },
    });
    return null;
  } catch (error) {
    // A request that asks for a call is answered with text all the same.
    if (error instanceof HoldfastError && error.code === 'MODEL_BAD_RESPONSE') return null;
    return `${vendor}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Returns whether a vendor takes all files that are shown in a call, which were chosen for another one. */
function takesFiles(vendor: CheckedVendor, { messages }: ModelCall): boolean {
  const types = Object.values(hostedVendors.get(vendor)?.files.types ?? {}).flat();
  return messages
    .flatMap((message) => ('parts' in message ? (message.parts ?? []) : []))
    .every((part) => part.type !== 'file' || types.includes(toPlainType(part.file?.mediaType ?? '')));
}
