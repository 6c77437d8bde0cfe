import type { JsonObject } from '../../../domain/json.ts';

/** A piece of a longer text that an event of a model's stream brings, and brings nothing else. */
export interface Piece {
  /** Names the text that the piece is a part of: pieces with one key that follow one another are joined. */
  key: string;
  text: string;
  /** Whether it is a part of the answer, and no reasoning or argument of a tool. */
  isAnswer: boolean;
}

/** A text that arrived in several events. */
export interface JoinedPieces {
  first: JsonObject;
  last: JsonObject;
  text: string;
}

/** How the events of a protocol bring text. */
export interface PieceFormat {
  /** Returns the piece of an event; null for an event that brings anything else. */
  readPiece: (event: JsonObject) => Piece | null;
  /** Returns one event that stands for all that brought the text. */
  toJoined: (pieces: JoinedPieces) => JsonObject;
  /** Returns an event as the protocol has it, for one whose servers deviate from it. @default the event */
  toStandard?: (event: JsonObject) => JsonObject;
  /** Whether an event that is no piece may bring text of the answer in another form, or the end of it by an error. */
  mayChangeText: (event: JsonObject) => boolean;
}
