import { HoldfastError } from '../../../domain/errors.ts';
import type { GenerateImage, GeneratedImage, ImageCall } from '../../../domain/model.ts';
import type { ResultFileStore, ToolResult } from '../../../domain/tool.ts';
import { ToolInterruptedError } from '../../../domain/tool-interrupted.ts';
import { wasSent } from '../../../platform/egress/was-sent.ts';
import { toCredits } from '../../../domain/credits.ts';
import { findPrice } from '../../../domain/price-table.ts';
import type { Prices } from '../../../domain/prices.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';
import { failedResult } from '../failed-result.ts';
import { toTextArgument } from '../text-argument.ts';

declare module '../tool-services.ts' {
  interface ToolServices {
    /** Reads the prices that a workspace has set. */
    readPrices: (workspaceId: string) => Promise<Prices>;
  }
}

/** The services that make images and store them. */
export interface ImageParts {
  generateImage: GenerateImage;
  resultFiles: ResultFileStore;
}

const sizePattern = '^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$';

async function run(parts: ImageParts | undefined, call: FunctionRun): Promise<ToolResult> {
  const { model, connectionId } = call.tool.config;
  if (!parts || model === undefined) {
    const message =
      'The making of images is not set up: set "config.model" of the tool to an image model such as ' +
      'openai/gpt-image-1, and "config.connectionId" to the connection whose key is to be used.';
    return failedResult('TOOL_NOT_CONFIGURED', message);
  }
  const connection =
    connectionId === undefined ? {} : { connection: { workspaceId: call.workspaceId, connectionId } };
  const { prompt, size } = call.arguments;
  const request = size === undefined ? {} : { size: toTextArgument(size) as NonNullable<ImageCall['size']> };
  try {
    const image = await parts.generateImage({
      model,
      ...connection,
      prompt: toTextArgument(prompt),
      ...request,
      signal: call.signal,
    });
    return { ...(await keepImage(parts.resultFiles, call, image)), ...(await chargeImage(call, model)) };
  } catch (error) {
    return toFailure(error, call);
  }
}

/** The price of one image, for a model that has one. */
async function chargeImage({ services, workspaceId }: FunctionRun, model: string) {
  const { perImage } = findPrice(model, await services.readPrices?.(workspaceId)) ?? {};
  return perImage === undefined ? {} : { creditsUsed: String(toCredits(perImage)) };
}

async function keepImage(
  resultFiles: ResultFileStore,
  { workspaceId, turnId }: FunctionRun,
  { bytes, mediaType }: GeneratedImage,
): Promise<ToolResult> {
  const name = `image.${mediaType.split('/')[1]?.split('+')[0] ?? 'bin'}`;
  const { id } = await resultFiles.put({ workspaceId, turnId, bytes, mediaType, name });
  const size = bytes.byteLength;
  const text = `[image ${mediaType}, ${size} bytes, file ${id}]\nIt can be fetched at /api/blobs/${id}.`;
  const content = { content: [{ type: 'image', mimeType: mediaType, blobId: id, bytes: size }] };
  return { status: 'succeeded', text, content };
}

/** A refusal of the vendor is a result. A request that broke may have been paid for, so it is not repeated. */
function toFailure(error: unknown, { signal }: FunctionRun): ToolResult {
  signal.throwIfAborted();
  if (!(error instanceof HoldfastError)) throw error;
  const { code, message, cause, retryAfterMs } = error;
  const retry = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (code === 'MODEL_RATE_LIMITED' && error.retryable)
    throw new ToolInterruptedError(code, message, { sent: false, cause, ...retry });
  if (code === 'MODEL_UNAVAILABLE' || code === 'MODEL_BAD_RESPONSE') {
    const sent = cause === undefined || wasSent(cause);
    throw new ToolInterruptedError(code, message, { sent, cause, ...retry });
  }
  return failedResult(code, message);
}

/** Has an image model make an image and stores it. */
export function createImageGeneration(parts?: ImageParts): ToolFunction {
  return {
    name: 'generate_image',
    aliases: ['dall_e_image_generation'],
    description: 'Makes an image from a description and stores it. Answers with the id of the stored image.',
    schema: {
      type: 'object',
      properties: {
        prompt: { type: 'string', minLength: 1, maxLength: 8000, description: 'What the image shows.' },
        size: { type: 'string', pattern: sizePattern, description: 'Width and height, such as "1024x1024".' },
      },
      required: ['prompt'],
      additionalProperties: false,
    },
    effect: 'unsafe',
    run: (call) => run(parts, call),
  };
}
