import { generateImage } from 'ai';
import { HoldfastError } from '../../domain/errors.ts';
import type { GenerateImage, ImageCall } from '../../domain/model.ts';
import { toModelFailure } from './model-failures.ts';
import type { ModelsConfig } from './models-config.ts';
import { createModelOpener, type ModelConnections } from './open-model.ts';

/** Creates the function that generates images, with the operator's keys or with those of `connections`. */
export function createImageGenerator(config: ModelsConfig, connections?: ModelConnections): GenerateImage {
  const open = createModelOpener(config, connections);
  return async (call) => {
    call.signal.throwIfAborted();
    const { vendor, modelId, getClient, redact } = await open(call);
    if (!vendor.makesImages) throw new HoldfastError('UNKNOWN_MODEL', `${call.model} makes no images.`);
    try {
      const { image } = await generateImage({
        model: getClient('image').imageModel(modelId),
        ...toSettings(call),
      });
      return { bytes: image.uint8Array, mediaType: image.mediaType };
    } catch (error) {
      call.signal.throwIfAborted();
      throw toModelFailure(error, { model: call.model, redact });
    }
  };
}

/** No retries: the vendor charges for each attempt. */
function toSettings({ prompt, size, signal }: ImageCall) {
  return { prompt, n: 1, maxRetries: 0, abortSignal: signal, ...(size === undefined ? {} : { size }) };
}
