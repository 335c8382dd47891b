import fc from 'fast-check';
import { type LogFilter, type LoggedEvent, loggedEvents, type TextField } from './naive-filter.js';

/** The names of all flags in the log. */
export const featureNames: readonly string[] = [...new Set(loggedEvents.flatMap(({ featureName }) => featureName ?? []))];

const distinct = <T>(select: (event: LoggedEvent) => T | null): T[] =>
  [...new Set(loggedEvents.map(select))].flatMap((value) => value ?? []) as T[];
const projects = distinct(({ project }) => project);
const types = distinct(({ type }) => type);
const userIds = distinct(({ createdByUserId }) => createdByUserId);
const environments = distinct(({ environment }) => environment);
const creators = distinct(({ createdBy }) => createdBy);
const ids = distinct(({ id }) => id);
const instants = distinct(({ createdAt }) => createdAt);
const days = distinct(({ createdAt }) => createdAt.slice(0, 10));

/** Events that differ from each other. Only a few of the many similar events of one flag are included. */
const variousEvents = loggedEvents.filter(({ featureName }, index) => featureName !== 'bulk-flag' || index % 100 === 0);

/** Whether a list in a REST parameter can name it. Such a list is split at commas and trimmed, and allows no line breaks. */
export const isListable = (name: string): boolean => name === name.trim() && name !== '' && !/[,\n]/.test(name);

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

/** Up to four values of the log, usually with the event's own value. For an event without a value, usually no list. */
const listAround = <T>(own: T | null, values: readonly T[], absent: T): fc.Arbitrary<T[] | undefined> => {
  const others = fc.uniqueArray(fc.constantFrom(...values, absent), { minLength: 1, maxLength: 3 });
  if (own === null) return fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: others });
  const withOwn = others.map((list) => [...new Set([...list, own])]);
  return fc.oneof(
    { weight: 5, arbitrary: withOwn },
    { weight: 2, arbitrary: fc.constant<T[]>([own]) },
    { weight: 1, arbitrary: others },
  );
};

/** Changes the case of ASCII letters only, because the database's collation decides how other letters fold. */
const inCase = (text: string, mode: 'unchanged' | 'upper' | 'lower'): string => {
  if (mode === 'unchanged') return text;
  return text.replaceAll(/[a-z]/gi, (letter) => (mode === 'upper' ? letter.toUpperCase() : letter.toLowerCase()));
};
const caseMode = fc.constantFrom('unchanged' as const, 'upper' as const, 'lower' as const);

/** A part of the text, cut between characters, often around a character with a meaning in LIKE or in JSON. */
const partOf = (text: string): fc.Arbitrary<string> => {
  const characters = Array.from(text);
  const special = characters.flatMap((character, index) => (/[%_\\"'\u0080-\u{10ffff}]/u.test(character) ? [index] : []));
  const position = fc.oneof(fc.nat({ max: characters.length - 1 }), ...(special.length > 0 ? [fc.constantFrom(...special)] : []));
  return fc.tuple(position, fc.nat({ max: 6 }), fc.integer({ min: 1, max: 12 }), caseMode).map(([at, before, length, mode]) => {
    const start = Math.max(0, at - before);
    return inCase(characters.slice(start, start + before + length).join(''), mode);
  });
};

/** Texts that would match too much, or nothing, if a character in them had a special meaning. */
const wildcards = fc.constantFrom(
  ...[
    '%',
    '_',
    '\\',
    '\\\\',
    '\\"',
    '100%',
    'r_s',
    '1%p',
    '%%',
    '__',
    '"',
    "'",
    '\\%',
    '\\_',
    '%_%',
    'null',
    '',
    ' ',
    '日_語',
    "';--",
  ],
);
const queryAround = ({ rawData }: LoggedEvent): fc.Arbitrary<string | undefined> =>
  rawData === null
    ? fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: wildcards })
    : fc.oneof({ weight: 5, arbitrary: partOf(rawData) }, { weight: 1, arbitrary: wildcards });

const anyDay = fc.constantFrom(...days, '0001-01-01', '2024-02-29', '2021-12-31', '9999-12-31');
const dayAround = ({ createdAt }: LoggedEvent): fc.Arbitrary<string> => fc.oneof(fc.constant(createdAt.slice(0, 10)), anyDay);

const commonFilter = (event: LoggedEvent) => ({
  typeNames: maybe(listAround(event.type, types, 'no-type')),
  createdByUserIds: maybe(listAround(event.createdByUserId, userIds, 77_777)),
  ids: maybe(listAround<number>(event.id, ids, 2_147_483_647)),
  environments: maybe(listAround(event.environment, environments, 'no-environment')),
  from: maybe(dayAround(event)),
  to: maybe(dayAround(event)),
  query: maybe(queryAround(event)),
});

const listable = (name: string | null) => (name !== null && isListable(name) ? name : null);

const searchFilter = (event: LoggedEvent) => ({
  ...commonFilter(event),
  features: maybe(listAround(listable(event.featureName), featureNames.filter(isListable), 'no-feature')),
  projects: maybe(listAround(listable(event.project), projects.filter(isListable), 'no-project')),
  environments: maybe(listAround(listable(event.environment), environments.filter(isListable), 'no-environment')),
});

/** Filters that the parameters of the REST search can express. */
export const restFilter: fc.Arbitrary<LogFilter> = fc
  .constantFrom(...variousEvents)
  .chain((event) => fc.record(searchFilter(event)));

/** Filters that only GraphQL and the paths under /v1 have. */
const newerFilter = (event: LoggedEvent) => ({
  createdByNames: maybe(listAround(event.createdBy, creators, 'no creator')),
  since: maybe(fc.constantFrom(event.createdAt, ...instants.filter((instant) => instant <= event.createdAt))),
  until: maybe(fc.constantFrom(event.createdAt, ...instants.filter((instant) => instant > event.createdAt))),
});

/** Filters that the parameters of the paths under /v1 can express. */
export const v1Filter: fc.Arbitrary<LogFilter> = fc.constantFrom(...variousEvents).chain((event) =>
  fc.record({
    ...searchFilter(event),
    ...newerFilter(event),
    createdByNames: maybe(listAround(listable(event.createdBy), creators.filter(isListable), 'no creator')),
  }),
);

/** Filters with any name, which only GraphQL can express. */
export const graphqlFilter: fc.Arbitrary<LogFilter> = fc.constantFrom(...variousEvents).chain((event) =>
  fc.record({
    ...commonFilter(event),
    ...newerFilter(event),
    features: maybe(listAround(event.featureName, featureNames, 'no-feature')),
    projects: maybe(listAround(event.project, projects, 'no-project')),
  }),
);

/**
 * Filters by text in `data`, `preData` and tags. PostgreSQL writes `preData` with its own spacing and order of keys, so the
 * filters search for parts of single texts or numbers only.
 */
const words = loggedEvents.flatMap(({ rawPreData, rawTags }) => `${rawPreData} ${rawTags}`.match(/[^\s"{}[\],:\\]+/g) ?? []);
const searchIn = fc.uniqueArray(fc.constantFrom<TextField>('DATA', 'PRE_DATA', 'TAGS'), { minLength: 1 });
export const textFilter: fc.Arbitrary<LogFilter> = fc.record({
  query: fc.constantFrom(...new Set(words)).chain(partOf),
  searchIn,
});

export const offsetPage = fc.record({
  offset: fc.oneof(fc.constant(0), fc.nat({ max: 60 }), fc.nat({ max: 1400 })),
  limit: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 1, arbitrary: fc.constantFrom(1, 999, 1000) },
  ),
});
