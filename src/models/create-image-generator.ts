import { generateImage } from 'ai';
import { HoldfastError } from '../domain/errors.ts';
import type { GenerateImage, ImageCall } from '../domain/model.ts';
import { createModelOpener, type ModelConnections } from './connect-models.ts';
import { toModelFailure } from './model-failures.ts';
import type { ModelsConfig } from './models-config.ts';

/** Makes the function that has models make images, with the operator's keys or with those of `connections`. */
export function createImageGenerator(config: ModelsConfig, connections?: ModelConnections): GenerateImage {
  const open = createModelOpener(config, connections);
  return async (call) => {
    call.signal.throwIfAborted();
    const { provider, modelId, getClient, redact } = await open(call);
    const { connectImages } = provider;
    if (!connectImages) throw new HoldfastError('UNKNOWN_MODEL', `${call.model} makes no images.`);
    try {
      const { image } = await generateImage({
        model: getClient('image', connectImages)(modelId),
        ...toSettings(call),
      });
      return { bytes: image.uint8Array, mediaType: image.mediaType };
    } catch (error) {
      call.signal.throwIfAborted();
      throw toModelFailure(error, { model: call.model, redact });
    }
  };
}

function toSettings({ prompt, size, signal }: ImageCall) {
  // Each attempt is paid.
  return { prompt, n: 1, maxRetries: 0, abortSignal: signal, ...(size === undefined ? {} : { size }) };
}
