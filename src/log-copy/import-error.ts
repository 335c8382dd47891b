import { OperatorError } from '../errors.js';

/** Says why this log accepts no imports. */
export class NotImportableError extends OperatorError {}

/** Names the place in the file that is wrong, such as "Line 3", and its problem. Nothing of the file was imported. */
export class ImportError extends OperatorError {
  constructor(place: string, problem: string) {
    super(`${place} ${problem}. Nothing of the file was imported.`);
  }
}
