/** The cost of a creation, which writes three rows in one transaction: that of fifty events. */
const CREATION = 50;

export function costOfCreation({ childComplexity }: { readonly childComplexity: number }): number {
  return CREATION + childComplexity;
}
