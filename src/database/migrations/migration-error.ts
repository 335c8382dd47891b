import { OperatorError } from '../../errors.js';

/** Says why a database cannot be used as it is, and what to do about it. */
export class MigrationError extends OperatorError {}
