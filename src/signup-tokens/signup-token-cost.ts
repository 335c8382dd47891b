/** The cost of a creation, which writes three rows in one transaction, as much as fifty events. */
const CREATION = 50;

/** The cost of reading a token with its users, as much as a hundred events. The number of users is unknown before. */
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
