/** A creation costs as much as fifty events. It writes a token, its event and any idempotency key in one transaction. */
const CREATION = 50;

/** Reading a token with its users costs as much as a hundred events. The number of users is unknown before the query runs. */
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
