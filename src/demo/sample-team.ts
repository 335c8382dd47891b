import type { EventType } from '../events/event-types.js';

/** The people, flags and administration of the sample log (sample-log.ts). All of them are made up. */

export interface Person {
  readonly id: number;
  /** The name that events contain: an email, or the name of a service account. */
  readonly name: string;
}

const person = (id: number, name: string): Person => ({ id, name: `${name}@example.com` });

export const ADMIN = person(1, 'ines.moreau');
export const ON_CALL = person(2, 'maya.okafor');
export const RELEASE_BOT: Person = { id: 20, name: 'release-bot' };
export const BRUNO = person(3, 'bruno.costa');
const CHIDI = person(4, 'chidi.eze');
export const DANA = person(5, 'dana.levy');
export const ELIF = person(6, 'elif.kaya');
const FARID = person(7, 'farid.haddad');
const GRETA = person(8, 'greta.lind');
const HANA = person(9, 'hana.sato');
const JONAS = person(10, 'jonas.weber');

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly team: readonly Person[];
}

export const SHOP: Project = { id: 'web-shop', name: 'Web shop', team: [DANA, BRUNO, ELIF, ON_CALL] };
const PAYMENTS: Project = { id: 'payments', name: 'Payments', team: [ON_CALL, CHIDI, FARID] };
const MOBILE: Project = { id: 'mobile-app', name: 'Mobile app', team: [GRETA, HANA, BRUNO] };
const SEARCH: Project = { id: 'search', name: 'Search', team: [JONAS, HANA, ELIF] };
/** The project that is archived after two months, with all its flags. */
export const LABS: Project = { id: 'labs', name: 'Labs', team: [JONAS, GRETA] };

export const ENVIRONMENTS = ['development', 'staging', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export interface Flag {
  readonly name: string;
  readonly project: Project;
  readonly type: string;
  readonly description: string;
}

/** The flag of the incident that sample-log.ts tells event by event. */
export const CHECKOUT: Flag = { name: 'checkout', project: SHOP, type: 'release', description: 'The new checkout on one page.' };

const flagsOf = (project: Project, type: string, descriptions: Readonly<Record<string, string>>): Flag[] =>
  Object.entries(descriptions).map(([name, description]) => ({ name, project, type, description }));

/** The flags with a random history, oldest first. */
export const FLAGS: readonly Flag[] = [
  ...flagsOf(LABS, 'experiment', {
    'voice-ordering': 'Orders by voice, in English only.',
    'ar-preview': 'Shows furniture in the room of the customer.',
    'chat-assistant': 'Answers questions about an order.',
  }),
  ...flagsOf(PAYMENTS, 'release', {
    'apple-pay': 'Apple Pay in Safari.',
    'pay-by-invoice': 'Payment within 30 days for known customers.',
    'split-payments': 'Payment in three parts.',
    'refund-automation': 'Refunds below 50 € without a review.',
  }),
  ...flagsOf(PAYMENTS, 'operational', {
    'fraud-score-v2': 'The second model of the fraud score.',
    'three-ds-exemptions': 'Asks the bank for an exemption from 3-D Secure.',
    'card-token-rotation': 'Rotates stored card tokens each night.',
  }),
  ...flagsOf(SHOP, 'release', {
    'guest-checkout': 'Orders without an account.',
    'gift-cards': 'Sells and accepts gift cards.',
    'wishlist-sharing': 'Links to wish lists.',
    'one-page-returns': 'Returns without a printed label.',
    dark_mode: 'Dark colors, by the setting of the browser.',
  }),
  ...flagsOf(SHOP, 'experiment', {
    'cart-recommendations': 'Products that fit those in the cart.',
    'price-drop-alerts': 'An email when a price falls.',
    'product-video': 'A video beside the pictures of a product.',
    'stock-badge': 'Shows how many items are left.',
  }),
  ...flagsOf(MOBILE, 'release', {
    'biometric-login': 'Login by face or fingerprint.',
    'offline-catalog': 'The catalog without a connection.',
    'deep-links-v2': 'Links of emails open in the app.',
    'home-widgets': 'Orders on the home screen.',
    'tablet-layout': 'Two columns on tablets.',
  }),
  ...flagsOf(MOBILE, 'kill-switch', {
    'push-digest': 'One push message a day instead of many.',
    'in-app-review': 'Asks for a review after the third order.',
  }),
  ...flagsOf(SEARCH, 'experiment', {
    'semantic-search': 'Finds products by meaning.',
    'ranking-experiment': 'Ranks by margin, too.',
    'search-autocomplete': 'Suggestions from the first letter.',
  }),
  ...flagsOf(SEARCH, 'operational', {
    'typo-tolerance': 'Accepts one wrong letter.',
    'facet-counts': 'Counts beside each filter.',
    'index-v3': 'Reads from the third search index.',
  }),
];

/** The days on which flags are archived, counted from the beginning of the log. */
export const ARCHIVED_ON: Readonly<Record<string, number>> = {
  'voice-ordering': 61,
  'ar-preview': 61,
  'chat-assistant': 61,
  'wishlist-sharing': 66,
  'gift-cards': 70,
  'ranking-experiment': 74,
  'stock-badge': 77,
  'pay-by-invoice': 81,
  'in-app-review': 86,
};
/** An event of the administration, such as a new project: its day, the person who acts, its type and its other fields. */
export type OfficeEvent = readonly [
  day: number,
  by: Person,
  type: EventType,
  fields: { readonly project?: string; readonly environment?: string; readonly data?: object; readonly preData?: object },
];

const EU = { name: 'eu-customers', constraints: [{ contextName: 'region', operator: 'IN', values: ['de', 'fr', 'it'] }] };
const EU_AND_SPAIN = { ...EU, constraints: [{ contextName: 'region', operator: 'IN', values: ['de', 'es', 'fr', 'it'] }] };
const CI_TOKEN = { tokenName: 'ci', type: 'backend', projects: ['*'], environment: 'development' };
const VIEWER_ROLE = { id: 3, type: 'root', name: 'Viewer' };
const INVITE = { name: 'Support team', enabled: true, createdBy: ADMIN.name, users: [], role: VIEWER_ROLE };

const projectEvents = ({ id, name, team }: Project): OfficeEvent[] => [
  [0, ADMIN, 'project-created', { project: id, data: { id, name, mode: 'open' } }],
  ...team.map((member): OfficeEvent => [0, ADMIN, 'project-user-added', { project: id, data: { userId: member.id, roleId: 4 } }]),
  [0, ADMIN, 'project-environment-added', { project: id, environment: 'staging', data: { environment: 'staging' } }],
];

export const OFFICE_EVENTS: readonly OfficeEvent[] = [
  [0, ADMIN, 'environment-created', { environment: 'staging', data: { name: 'staging', type: 'preproduction', enabled: true } }],
  ...[ON_CALL, BRUNO, CHIDI, DANA, ELIF, FARID, GRETA, HANA, JONAS].map(
    ({ id, name }): OfficeEvent => [0, ADMIN, 'user-created', { data: { id, email: name, rootRole: 2 } }],
  ),
  ...[SHOP, PAYMENTS, MOBILE, SEARCH, LABS].flatMap(projectEvents),
  [0, ADMIN, 'service-account-created', { data: { id: RELEASE_BOT.id, username: RELEASE_BOT.name, rootRole: 2 } }],
  [1, ADMIN, 'group-created', { data: { id: 1, name: 'on-call', description: 'May switch anything off.' } }],
  [1, ADMIN, 'group-user-added', { data: { groupId: 1, userId: ON_CALL.id } }],
  [1, ADMIN, 'tag-type-created', { data: { name: 'team', description: 'The team that owns the flag.' } }],
  [1, ADMIN, 'context-field-created', { data: { name: 'region', description: 'Country of the customer', stickiness: true } }],
  [1, DANA, 'segment-created', { data: { id: 1, ...EU } }],
  [1, ADMIN, 'api-token-created', { environment: 'development', data: CI_TOKEN }],
  [2, ADMIN, 'addon-config-created', { data: { id: 1, provider: 'slack', enabled: true, events: ['feature-archived'] } }],
  [2, JONAS, 'pat-created', { data: { id: 1, description: 'notebook', expiresAt: null } }],
  [3, ADMIN, 'change-request-configuration-updated', { project: 'payments', environment: 'production', data: { enabled: true } }],
  [24, FARID, 'segment-updated', { data: { id: 1, ...EU_AND_SPAIN }, preData: { id: 1, ...EU } }],
  [31, ADMIN, 'role-created', { data: { id: 40, name: 'Release manager', type: 'custom' } }],
  [38, GRETA, 'features-exported', { environment: 'staging', data: { features: ['offline-catalog', 'tablet-layout'] } }],
  [38, GRETA, 'features-imported', { project: 'mobile-app', environment: 'production' }],
  [45, ADMIN, 'public-signup-token-created', { data: INVITE }],
  [46, ADMIN, 'public-signup-token-user-added', { data: { userId: 21 } }],
  [52, ADMIN, 'user-updated', { data: { id: 9, rootRole: 1 }, preData: { id: 9, rootRole: 2 } }],
  [62, ADMIN, 'project-archived', { project: LABS.id }],
  [66, ADMIN, 'api-token-deleted', { environment: 'development', preData: CI_TOKEN }],
  [71, ADMIN, 'setting-updated', { data: { id: 'maintenance.mode', enabled: false }, preData: { enabled: true } }],
  [79, ADMIN, 'user-deleted', { preData: { id: 21, name: 'Temporary helper', rootRole: 3 } }],
  [83, ADMIN, 'banner-created', { data: { id: 1, message: 'No releases on Friday.', enabled: true } }],
];
