import type { FastifyRequest } from 'fastify';
import type { ErrorLog } from '../errors.js';
import type { BudgetState } from '../limits/budget.js';
import type { RequestContext } from '../request-context.js';
import { overBudget } from './cost-limit.js';
import { rejectDeepNesting } from './nesting.js';
import type { DocumentParameters } from './trusted-documents.js';

/** The part of a request that limits of a caller depend on. */
export type OfCaller = Pick<FastifyRequest, 'context'>;

/** The checks of a request before its document is parsed. */
export interface DocumentChecks {
  /** Returns the text of the document whose id the request contains, or null if the request contains the text. */
  readonly findDocument?: (parameters: DocumentParameters, log: ErrorLog) => string | null;
  /** Returns the caller's budget if it is used up, and the document is then not read. Otherwise returns null. */
  readonly findSpent?: (request: OfCaller) => BudgetState | null;
  /** Charges the caller for a request that is rejected before its operation is known. */
  readonly chargeRejected?: (request: OfCaller) => Promise<void>;
}

/** Checks the parameters that a WebSocket received. @returns them with the text of the document */
export async function prepareParameters(
  parameters: DocumentParameters,
  context: RequestContext,
  { findDocument, findSpent, chargeRejected }: DocumentChecks,
): Promise<DocumentParameters> {
  const spent = findSpent?.({ context }) ?? null;
  if (spent) throw overBudget(null, spent);
  try {
    const text = findDocument?.(parameters, context.log) ?? null;
    const prepared = text === null ? parameters : { ...parameters, query: text };
    rejectDeepNesting(prepared.query);
    return prepared;
  } catch (rejection) {
    await chargeRejected?.({ context });
    throw rejection;
  }
}
