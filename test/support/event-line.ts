/** Returns a line of an import: an event with the required fields and `more`. */
export function eventLine(id: number, more: object = {}): string {
  return JSON.stringify({ id, createdAt: '2024-01-01T00:00:00.000Z', type: 'feature-created', createdBy: 'importer', ...more });
}
