import type { EventDimension } from '../../../generated/console/graphql.js';
import { type ConsoleFilter, EMPTY_FILTER, type ListField } from '../filter/console-filter.js';

/** The kinds of things that have a page with their history. */
export type SubjectKind = 'flag' | 'project' | 'person';

export interface Subject {
  readonly kind: SubjectKind;
  readonly name: string;
}

const FIELDS = { flag: 'flags', project: 'projects', person: 'people' } as const satisfies Record<SubjectKind, ListField>;

/** The kinds of subjects as users read them. */
export const WORDS: Readonly<Record<SubjectKind, string>> = { flag: 'Flag', project: 'Project', person: 'Person' };

/** The filter of all events of a subject. */
export const filterOf = ({ kind, name }: Subject): ConsoleFilter => ({ ...EMPTY_FILTER, [FIELDS[kind]]: [name] });

/** Describes a table that has the number of events for each value of one property. */
export interface Breakdown {
  readonly title: string;
  readonly by: EventDimension;
  readonly field: ListField;
}

const BY_TYPE: Breakdown = { title: 'By type', by: 'TYPE', field: 'types' };
const BY_PERSON: Breakdown = { title: 'By person', by: 'CREATED_BY', field: 'people' };
const BY_FLAG: Breakdown = { title: 'By flag', by: 'FEATURE', field: 'flags' };
const BY_ENVIRONMENT: Breakdown = { title: 'By environment', by: 'ENVIRONMENT', field: 'environments' };

const BY_PROJECT: Breakdown = { title: 'By project', by: 'PROJECT', field: 'projects' };

/** The tables of the timeline page. */
export const ALL_BREAKDOWNS: readonly Breakdown[] = [BY_TYPE, BY_PERSON, BY_FLAG, BY_PROJECT, BY_ENVIRONMENT];

export const BREAKDOWNS: Readonly<Record<SubjectKind, readonly Breakdown[]>> = {
  flag: [BY_TYPE, BY_PERSON, BY_ENVIRONMENT],
  project: [BY_TYPE, BY_PERSON, BY_FLAG],
  person: [BY_TYPE, BY_FLAG, BY_PROJECT, BY_ENVIRONMENT],
};
