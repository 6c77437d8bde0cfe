import type { KnowledgeBase } from '../../api/types.ts';

type Language = KnowledgeBase['language'];

/** The languages in which words are searched. */
export const languages: readonly Language[] = [
  ...(['english', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'finnish'] as const),
  ...(['french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian'] as const),
  ...(['lithuanian', 'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian'] as const),
  ...(['spanish', 'swedish', 'tamil', 'turkish', 'yiddish', 'simple'] as const),
];

/** A knowledge base as a person fills it in: numbers are texts, and what is not set is empty. */
export interface BaseDraft {
  name: string;
  description: string;
  language: Language;
  embeddingModel: string;
  embeddingConnectionId: string;
  maxCharacters: string;
  overlapCharacters: string;
}

/** The draft of a new knowledge base. */
export const newDraft: BaseDraft = {
  ...{ name: '', description: '', language: 'english', embeddingModel: '', embeddingConnectionId: '' },
  ...{ maxCharacters: '1600', overlapCharacters: '200' },
};

/** The draft of a stored knowledge base. */
export function toDraft(base: KnowledgeBase): BaseDraft {
  const { name, description, language, embeddingModel, embeddingConnectionId, chunking } = base;
  return {
    ...{ name, description, language },
    embeddingModel: embeddingModel ?? '',
    embeddingConnectionId: embeddingConnectionId ?? '',
    maxCharacters: String(chunking.maxCharacters),
    overlapCharacters: String(chunking.overlapCharacters),
  };
}

/** Returns the fields of a draft for the API, without the language, which is chosen once. */
export function toInput(draft: BaseDraft) {
  const embeddingModel = draft.embeddingModel.trim() || null;
  return {
    name: draft.name.trim(),
    description: draft.description,
    embeddingModel,
    embeddingConnectionId: (embeddingModel && draft.embeddingConnectionId) || null,
    chunking: {
      maxCharacters: Number(draft.maxCharacters),
      overlapCharacters: Number(draft.overlapCharacters),
    },
  };
}
