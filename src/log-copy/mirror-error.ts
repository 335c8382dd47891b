import { OperatorError } from '../errors.js';

/** Says why the log of an Unleash server cannot be copied. */
export class MirrorError extends OperatorError {}
