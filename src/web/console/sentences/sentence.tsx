import { createElement, Fragment } from 'react';
import { Link } from '../navigation/link.js';
import type { Route } from '../navigation/routes.js';
import { describeEventParts } from './describe-event.js';
import type { DescribedEvent } from './event-details.js';
import type { SentencePart } from './sentence-part.js';

interface SentenceProps {
  readonly event: DescribedEvent;
  /** Whether the names of flags, projects and people are links to their pages. */
  readonly hasLinks?: boolean;
}

/** The sentence of an event, with names in bold type or as links. */
export function Sentence({ event, hasLinks = false }: SentenceProps) {
  return createElement(Fragment, null, ...describeEventParts(event).map((part) => renderPart(part, hasLinks)));
}

function renderPart(part: SentencePart, hasLinks: boolean) {
  const route = hasLinks ? routeOf(part) : undefined;
  if (route) return <Link to={route}>{part.text}</Link>;
  return part.kind === 'text' ? part.text : <b data-kind={part.kind}>{part.text}</b>;
}

function routeOf(part: SentencePart): Route | undefined {
  switch (part.kind) {
    case 'person':
    case 'flag':
    case 'project':
      return { page: part.kind, name: part.value };
    default:
      return undefined;
  }
}
