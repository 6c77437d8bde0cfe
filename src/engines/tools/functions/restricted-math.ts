import { createRequire } from 'node:module';
import type * as mathjs from 'mathjs';

// One file in place of 700 modules: it is loaded while turns run, and takes 0.2 seconds of a processor in place of 1.2.
const { all, create } = createRequire(import.meta.url)('mathjs/lib/browser/math.js') as typeof mathjs;

const maxCount = 1_000;
const maxDepth = 100;

const math = create(all ?? {});
const parse = math.parse.bind(math);
const combinations = math.combinations.bind(math);
const permutations = math.permutations.bind(math);

function refuse(): never {
  throw new Error('this function is not available');
}

function bounded(calculateCount: (n: number, k: number) => number): (n: number, k: number) => number {
  return (n, k) => {
    if (!(n <= maxCount)) throw new Error(`expected at most ${maxCount} elements`);
    return calculateCount(n, k);
  };
}

math.import(
  {
    // The documentation of mathjs says to switch these off for untrusted expressions.
    import: refuse,
    createUnit: refuse,
    evaluate: refuse,
    parse: refuse,
    simplify: refuse,
    derivative: refuse,
    resolve: refuse,
    reviver: refuse,
    // These loop as often as their argument says.
    combinations: bounded(combinations),
    permutations: bounded(permutations),
  },
  { override: true },
);

function words(text: string): Set<string> {
  return new Set(text.split(' '));
}

const operators = words(
  'add subtract multiply divide mod pow unaryMinus unaryPlus factorial to ' +
    'and or xor not equal unequal smaller smallerEq larger largerEq',
);

const functions = words(
  'abs ceil fix floor round sign sqrt cbrt nthRoot exp expm1 log log2 log10 log1p pow mod gcd lcm hypot ' +
    'add subtract multiply divide min max sum prod mean median std variance factorial gamma ' +
    'combinations permutations sin cos tan sec csc cot asin acos atan atan2 sinh cosh tanh asinh acosh atanh',
);

const constants = words('pi tau e phi i true false');

/** Only numbers, operators, named functions and units: no strings, lists, ranges, assignments or properties. */
function checkNode(node: mathjs.MathNode): void {
  if (math.isConstantNode(node) && (typeof node.value === 'number' || typeof node.value === 'boolean'))
    return;
  if (math.isParenthesisNode(node) || math.isConditionalNode(node) || math.isRelationalNode(node)) return;
  if (math.isOperatorNode(node) && operators.has(node.fn)) return;
  if (math.isFunctionNode(node) && math.isSymbolNode(node.fn) && functions.has(node.fn.name)) return;
  if (math.isSymbolNode(node)) {
    if (constants.has(node.name) || math.Unit.isValuelessUnit(node.name)) return;
    throw new Error(`"${node.name}" is neither a number, a constant, a unit nor a known function`);
  }
  throw new Error(`"${node.toString().slice(0, 40)}" is not allowed here`);
}

function checkTree(node: mathjs.MathNode): void {
  checkNode(node);
  node.forEach((child, path) => {
    // The name of a called function has been checked with its call.
    if (path !== 'fn') checkTree(child);
  });
}

/** Whether a value can be shown: a finite number, a number with a unit, a complex number or a truth value. */
function isTellable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || math.isUnit(value) || math.isComplex(value);
}

/** The parser uses its stack for each parenthesis. */
function depthOf(expression: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of expression) {
    if (character === '(') deepest = Math.max(deepest, ++depth);
    if (character === ')') depth -= 1;
  }
  return deepest;
}

/** Calculates an arithmetic expression in bounded time. Throws an error that says what is wrong with it. */
export function calculateExpression(expression: string): string {
  if (depthOf(expression) > maxDepth) throw new Error('it is nested too deeply');
  const tree = parse(expression);
  checkTree(tree);
  const value: unknown = tree.compile().evaluate(new Map());
  if (!isTellable(value)) throw new Error('the result is not a finite number');
  return math.format(value, { precision: 14, lowerExp: -9, upperExp: 15 });
}
