/** The cost of a creation, which writes three rows in one transaction: that of fifty events. */
const CREATION = 50;

/** The cost of reading a token. Its users are read with it, and their number is unknown before: that of a hundred events. */
const READ = 100;

interface FieldCost {
  readonly childComplexity: number;
}

export function costOfCreation({ childComplexity }: FieldCost): number {
  return CREATION + childComplexity;
}

export function costOfRead({ childComplexity }: FieldCost): number {
  return READ + childComplexity;
}
