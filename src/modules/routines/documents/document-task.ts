import { HoldfastError, type FieldError } from '../../../domain/errors.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { checkRoutineDocument } from './check-document.ts';
import { drawRoutine, type RoutineDiagram } from '../diagram/draw-routine.ts';
import { parseRoutineDocument } from './parse-document.ts';

/** A document to read, check and draw; or one that was checked, to draw. */
export type DocumentTask =
  { kind: 'read'; source: string | JsonObject } | { kind: 'draw'; document: JsonObject };

/** A document that was checked, with the names that it gives itself, and its flowchart. */
export interface ReadDocument {
  document: JsonObject;
  namespace: string;
  name: string;
  diagram: RoutineDiagram;
}

/** The results of each kind of task. */
export interface DocumentAnswers {
  read: ReadDocument | { errors: FieldError[] };
  draw: RoutineDiagram;
}

/** Runs a task where it is called: its time and memory are not limited here. */
export function runDocumentTask(task: DocumentTask): Promise<DocumentAnswers[keyof DocumentAnswers]> {
  return task.kind === 'read' ? read(task.source) : Promise.resolve(drawRoutine(task.document));
}

async function read(source: string | JsonObject): Promise<DocumentAnswers['read']> {
  try {
    const document = parseRoutineDocument(source);
    await checkRoutineDocument(document);
    const header = isJsonObject(document.document) ? document.document : {};
    const { namespace, name } = header;
    if (typeof namespace === 'string' && typeof name === 'string')
      return { document, namespace, name, diagram: drawRoutine(document) };
    return { errors: [{ field: 'document/document', message: 'expected a namespace and a name' }] };
  } catch (error) {
    // Recursion ends with a RangeError before the stack of the thread does.
    if (error instanceof RangeError)
      return { errors: [{ field: 'document', message: 'is nested too deeply' }] };
    if (error instanceof HoldfastError && error.code === 'INVALID_INPUT')
      return { errors: error.details as FieldError[] };
    throw error;
  }
}
