/** The rules of a vendor for the tools of a request, as far as vendors differ. */
export interface ToolRules {
  /** The keywords that the vendor refuses at the top of a schema. */
  refusedOnTop: readonly string[];
  /** Matches the names of fields that it takes at the top of a schema. @default all */
  fieldName?: RegExp;
  /** The most tools of a request. @default any number */
  mostTools?: number;
  /** Set for a vendor that refuses look-around in a pattern. */
  refusesLookAround?: boolean;
  /** Set for a vendor that refuses an array whose `items` are missing. */
  needsItems?: boolean;
  /** Set for a vendor that refuses other keywords beside `$ref`. */
  wantsBareReferences?: boolean;
  /** Set for a vendor that takes texts and numbers alone as values of `enum`, and no `const`. */
  wantsPlainValues?: boolean;
}

/**
 * The rules of OpenAI, which servers of its protocol have taken over.
 * See https://platform.openai.com/docs/guides/function-calling.
 */
export const functionRules: ToolRules = {
  refusedOnTop: ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'],
  refusesLookAround: true,
  needsItems: true,
};
