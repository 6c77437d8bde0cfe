/** The name and the description of the tool that each model answer but the last calls. */
export const calculateName = 'calculate';
export const calculateDescription = 'Calculates an arithmetic expression.';

/** Adds the numbers of an expression such as `1 + 1`. */
export function calculate({ expression }: { expression: string }): string {
  return String(expression.split('+').reduce((sum, part) => sum + Number(part), 0));
}
