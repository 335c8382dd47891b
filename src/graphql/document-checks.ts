import type { FastifyRequest } from 'fastify';
import { type ErrorLog, GatewayError } from '../errors.js';
import { isNestedDeeper, JSON_NESTING_RULE, MAX_JSON_NESTING } from '../formats/raw-json.js';
import type { BudgetState } from '../limits/budgets.js';
import type { RequestContext } from '../request-context.js';
import { overBudget } from './cost-limit.js';
import { rejectDeepNesting } from './nesting.js';
import { type DocumentParameters, withDocument } from './trusted-documents.js';

/** The part of a request that the limits per caller need. */
export type RequestOfCaller = Pick<FastifyRequest, 'context'>;

/** The checks of a request before its document is parsed. */
export interface DocumentChecks {
  /** Returns the text of the document that the request names by id, or null if the request contains the text. */
  readonly findDocument?: (parameters: DocumentParameters, log: ErrorLog) => string | null;
  /** Returns the caller's budget if it is used up, or else null. If it is used up, the document is not read. */
  readonly findSpent?: (request: RequestOfCaller) => BudgetState | null;
  /** Charges the caller for a request that is rejected before its operation is known. */
  readonly chargeRejected?: (request: RequestOfCaller) => Promise<void>;
}

/**
 * Checks the parameters of a request before Apollo Server reads them, whatever the transport.
 * @returns the parameters with the text of the document: the same object if it contains the text already
 */
export async function prepareParameters<Parameters extends DocumentParameters>(
  parameters: Parameters,
  context: RequestContext,
  checks: DocumentChecks,
): Promise<Parameters> {
  rejectSpent(context, checks);
  try {
    rejectDeepJson(parameters);
    const text = checks.findDocument?.(parameters, context.log) ?? null;
    const prepared = text === null ? parameters : withDocument(parameters, text);
    rejectDeepNesting(prepared.query);
    return prepared;
  } catch (rejection) {
    await checks.chargeRejected?.({ context });
    throw rejection;
  }
}

/** @throws GatewayError TooManyRequestsError if the caller's budget is used up */
export function rejectSpent(context: RequestContext, { findSpent }: DocumentChecks): void {
  const budget = findSpent?.({ context }) ?? null;
  if (!budget) return;
  context.statistics.budget = budget;
  throw overBudget(null, budget);
}

/** Rejects deeply nested JSON in URL parameters, which are strings. The JSON of a body or message is checked before parsing. */
function rejectDeepJson(parameters: Readonly<Record<string, unknown>>): void {
  for (const name of ['variables', 'extensions']) {
    const value = parameters[name];
    if (typeof value === 'string' && isNestedDeeper(value, MAX_JSON_NESTING))
      throw new GatewayError('BadDataError', `The JSON of the ${name} ${JSON_NESTING_RULE}.`);
  }
}
