import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { toTaskKind, toTasks, type NamedTask } from '../routine-document-contract.ts';
import type { DrawnGraph } from './drawn-graph.ts';

/** The flowchart that is being built: its ids, and where `end` leads. */
interface Drawing {
  root: Frame;
  createId: () => string;
}

/** A graph with its two dots. */
interface Frame {
  graph: DrawnGraph;
  entryId: string;
  exitId: string;
}

/** A task of a list: the node at which it begins, and the node from which its successor follows. */
interface DrawnTask extends NamedTask {
  /** The dot before a task with a condition, else `inId`. */
  firstId: string;
  inId: string;
  outId: string;
}

const longestLabel = 60;

/**
 * Builds the flowchart of a checked document. Each task is one node however many tasks lead to it, so that time and size
 * grow with the document and not with its paths.
 */
export function buildGraph(document: JsonObject): DrawnGraph {
  let count = 0;
  const createId = () => `n${(count += 1)}`;
  const root = createFrame(createId, { id: 'root', type: 'root', label: '' });
  addTasks({ root, createId }, root, toTasks(document.do));
  return root.graph;
}

function createFrame(
  createId: () => string,
  { id = createId(), type, label }: { id?: string; type: string; label: string },
): Frame {
  const isRoot = type === 'root';
  const entry = createNode(createId(), isRoot ? 'start' : 'entry', '');
  const exit = createNode(createId(), isRoot ? 'end' : 'exit', '');
  const graph = { ...createNode(id, type, label), nodes: [entry, exit] };
  return { graph, entryId: entry.id, exitId: exit.id };
}

function createNode(id: string, type: string, label: string): DrawnGraph {
  return { id, type, label: toLabel(label), nodes: [], edges: [] };
}

function addTasks(drawing: Drawing, frame: Frame, tasks: NamedTask[]): void {
  const drawn = tasks.map((task) => addTask(drawing, frame, task));
  addEdge(frame, frame.entryId, { to: drawn[0]?.firstId ?? frame.exitId });
  const named = new Map(drawn.map((task) => [task.name, task.firstId]));
  for (const [index, task] of drawn.entries()) {
    const next = drawn[index + 1]?.firstId ?? frame.exitId;
    addEdges(drawing, frame, { task, next, named });
  }
}

function addTask(drawing: Drawing, frame: Frame, task: NamedTask): DrawnTask {
  const { nodes } = frame.graph;
  const dot = typeof task.definition.if === 'string' ? [createNode(drawing.createId(), 'condition', '')] : [];
  const { node, inId = node.id, outId = node.id } = drawTask(drawing, task);
  nodes.push(...dot, node);
  return { ...task, firstId: dot[0]?.id ?? inId, inId, outId };
}

/** The node of a task, with its entry and its exit when it contains tasks. */
interface DrawnNode {
  node: DrawnGraph;
  inId?: string;
  outId?: string;
}

function drawTask(drawing: Drawing, { name, definition }: NamedTask): DrawnNode {
  const type = toTaskKind(definition) ?? 'set';
  if (type === 'do' || type === 'for') return drawFrame(drawing, { type, label: name }, definition.do);
  if (type === 'try') return drawTry(drawing, name, definition);
  if (type === 'fork') return drawFork(drawing, name, definition.fork);
  return { node: createNode(drawing.createId(), type, name) };
}

function drawFrame(
  { root, createId }: Drawing,
  shown: { type: string; label: string },
  list: JsonValue | undefined,
): DrawnNode & { inId: string; outId: string } {
  const frame = createFrame(createId, shown);
  addTasks({ root, createId }, frame, toTasks(list));
  return { node: frame.graph, inId: frame.entryId, outId: frame.exitId };
}

function drawFork({ root, createId }: Drawing, name: string, fork: JsonValue | undefined): DrawnNode {
  const frame = createFrame(createId, { type: 'fork', label: name });
  // Each branch is a list of one task.
  for (const branch of toTasks(isJsonObject(fork) ? fork.branches : undefined))
    addTasks({ root, createId }, frame, [branch]);
  return { node: frame.graph, inId: frame.entryId, outId: frame.exitId };
}

function drawTry(drawing: Drawing, name: string, { try: tried, catch: caught }: JsonObject): DrawnNode {
  const frame = createFrame(drawing.createId, { type: 'try-catch', label: name });
  const body = drawFrame(drawing, { type: 'try', label: `${name} (try)` }, tried);
  const shown = { type: 'catch', label: `${name} (catch)` };
  const list = isJsonObject(caught) ? toTasks(caught.do) : [];
  const handler: DrawnNode =
    list.length > 0 && isJsonObject(caught)
      ? drawFrame(drawing, shown, caught.do)
      : { node: createNode(drawing.createId(), shown.type, shown.label) };
  frame.graph.nodes.push(body.node, handler.node);
  addEdge(frame, frame.entryId, { to: body.inId });
  addEdge(frame, body.outId, { to: handler.inId ?? handler.node.id });
  addEdge(frame, handler.outId ?? handler.node.id, { to: frame.exitId });
  return { node: frame.graph, inId: frame.entryId, outId: frame.exitId };
}

/** The nodes to which a task may lead. */
interface Leading {
  task: DrawnTask;
  /** The first node of the next task of the list, or the exit of the list. */
  next: string;
  named: Map<string, string>;
}

function addEdges(drawing: Drawing, frame: Frame, { task, next, named }: Leading): void {
  const { definition, firstId, inId, outId } = task;
  if (firstId !== inId) {
    addEdge(frame, firstId, { to: inId, label: typeof definition.if === 'string' ? definition.if : '' });
    addEdge(frame, firstId, { to: next });
  }
  const labels = new Map<string, string>();
  for (const [then, label] of listDirectives(definition)) {
    const to = toDestination(then, { drawing, frame, next, named });
    const known = labels.get(to);
    // A label that is too long already is not made longer, so that a thousand cases to one task take no more.
    if (known === undefined || known === '') labels.set(to, label);
    else if (label !== '' && known.length <= longestLabel) labels.set(to, `${known} / ${label}`);
  }
  for (const [to, label] of labels) {
    const ends = to === drawing.root.exitId;
    addEdge(ends ? drawing.root : frame, outId, { to, label });
  }
}

/** Lists the directives of a task with the names of their cases. Without a default, a switch leads on as other tasks do. */
function listDirectives({ switch: list, then }: JsonObject): [then: JsonValue | undefined, label: string][] {
  const cases = toTasks(list);
  const led = cases.map(({ name, definition }): [JsonValue | undefined, string] => [
    definition.then ?? then,
    name,
  ]);
  const hasDefault = cases.some(({ definition }) => definition.when === undefined);
  return hasDefault ? led : [...led, [then, '']];
}

function toDestination(
  then: JsonValue | undefined,
  { drawing, frame, next, named }: Omit<Leading, 'task'> & { drawing: Drawing; frame: Frame },
): string {
  if (then === 'exit') return frame.exitId;
  if (then === 'end') return drawing.root.exitId;
  if (typeof then !== 'string' || then === 'continue') return next;
  return named.get(then) ?? next;
}

function addEdge({ graph }: Frame, sourceId: string, { to, label = '' }: { to: string; label?: string }) {
  graph.edges.push({ sourceId, destinationId: to, label: toLabel(label) });
}

/** Shortens a text, and replaces the characters that would break a drawing. */
function toLabel(text: string): string {
  const shown = text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text;
  return shown.replaceAll(/[^\P{C}]/gu, ' ');
}
