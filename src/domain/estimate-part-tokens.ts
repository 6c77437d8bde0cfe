import type { PartFile } from './message-part.ts';
import { toNeededInput } from './model-part.ts';
import { partTextCharacters } from './part-text.ts';

/**
 * The tokens of an image at the size that vendors scale it down to: OpenAI counts 765 for a square of 1,024 pixels and up
 * to 1,105 for a larger one (https://platform.openai.com/docs/guides/images-vision#calculating-costs), Anthropic width x
 * height / 750 with a limit of about 1,600 (https://docs.anthropic.com/en/docs/build-with-claude/vision#calculate-image-costs),
 * Google 258 for each tile of 768 pixels (https://ai.google.dev/gemini-api/docs/tokens).
 */
const imageTokens = 1_500;

/**
 * The tokens of a page of a PDF, which a model gets as text and as an image: Anthropic names 1,500 to 3,000 for its text
 * (https://docs.anthropic.com/en/docs/build-with-claude/pdf-support#pdf-support-costs).
 */
const pageTokens = 2_000;

/** The least bytes of a page of a PDF, for files whose pages were not counted. */
const bytesPerPage = 50_000;

/** Google counts 32 tokens for a second of audio and 263 for one of video; a second of either has at least so many bytes. */
const audio = { tokensPerSecond: 32, bytesPerSecond: 4_000 };
const video = { tokensPerSecond: 263, bytesPerSecond: 100_000 };

/** Characters of a text for each of its tokens. */
const charactersPerToken = 4;

/** Estimates the tokens that a file costs in a model call, whether it is sent as it is or as text. */
export function estimatePartTokens(file: Pick<PartFile, 'mediaType' | 'size' | 'pages'> | null): number {
  if (!file) return 20;
  const { size, pages } = file;
  switch (toNeededInput(file)) {
    case 'image':
      return imageTokens;
    case 'document':
      return (pages ?? Math.max(1, Math.ceil(size / bytesPerPage))) * pageTokens;
    case 'audio':
      return Math.ceil(size / audio.bytesPerSecond) * audio.tokensPerSecond;
    case 'video':
      return Math.ceil(size / video.bytesPerSecond) * video.tokensPerSecond;
    case null:
      return Math.ceil(Math.min(size, partTextCharacters) / charactersPerToken);
  }
}
