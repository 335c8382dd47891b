import type { KnownType } from '../../../src/web/console/sentences/describe-event.js';
import type { DescribedEvent } from '../../../src/web/console/sentences/event-details.js';

/** A payload with a value for each key that sentences read. */
const DATA = {
  id: 7,
  name: 'sample-name',
  type: 'simple',
  value: 'payments',
  title: 'gradual rollout',
  description: 'laptop of Ada',
  parameters: { rollout: '50' },
  feature: 'search',
  features: ['checkout', 'search', 'wallet'],
  url: 'https://example.com/plan',
  status: 'kept',
  oldProject: 'labs',
  newProject: 'web-shop',
  userId: 3,
  groupId: 4,
  roleName: 'Owner',
  users: [1, 2],
  groups: [1],
  changeRequestId: 12,
  tokenName: 'ci',
  provider: 'slack',
  message: 'No releases on Friday.',
  appName: 'shop-app',
  displayName: 'Errors per minute',
  milestoneName: 'Half of the users',
  secret: 'never-shown',
};

const PRE_DATA = { ...DATA, type: 'team', description: 'old', parameters: { rollout: '25' } };

/** An event that has a value in each field. */
export const fullEvent = (typeName: string): DescribedEvent => ({
  typeName,
  createdBy: 'Ada',
  featureName: 'checkout',
  project: 'web-shop',
  environment: 'production',
  data: DATA,
  preData: PRE_DATA,
});

/** An event that has nothing but its type. */
export const bareEvent = (typeName: string): DescribedEvent => ({
  typeName,
  createdBy: 'Ada',
  featureName: null,
  project: null,
  environment: null,
  data: null,
  preData: null,
});

type Example = readonly [type: KnownType | 'new-type', fields: Partial<DescribedEvent>, sentence: string];

const on = { featureName: 'dark_mode', project: 'web-shop', environment: 'production' };

/** Sentences of payloads as the service writes them, and of strange ones. */
export const EXAMPLES: readonly Example[] = [
  ['feature-environment-disabled', on, 'Ada disabled dark_mode in production'],
  ['feature-created', { ...on, environment: null }, 'Ada created dark_mode in project web-shop'],
  [
    'feature-strategy-update',
    {
      ...on,
      data: { name: 'flexibleRollout', parameters: { rollout: '50' } },
      preData: { name: 'flexibleRollout', parameters: { rollout: '25' } },
    },
    'Ada changed the strategy flexibleRollout of dark_mode in production from 25 % to 50 %',
  ],
  [
    'feature-strategy-update',
    { ...on, data: { name: 'default', disabled: true }, preData: { name: 'default', disabled: false } },
    'Ada changed the strategy default of dark_mode in production, which is now off',
  ],
  [
    'feature-strategy-add',
    { ...on, data: { name: 'flexibleRollout', parameters: { rollout: 'all' } } },
    'Ada added the strategy flexibleRollout to dark_mode in production',
  ],
  [
    'feature-project-change',
    { ...on, data: { oldProject: 'labs', newProject: 'web-shop' } },
    'Ada moved dark_mode from project labs to project web-shop',
  ],
  [
    'feature-metadata-updated',
    {
      ...on,
      data: { description: 'b', type: 'release', stale: true },
      preData: { description: 'a', type: 'release', stale: false },
    },
    'Ada edited the description and the stale mark of dark_mode',
  ],
  ['feature-metadata-updated', { ...on, data: { description: 'b' } }, 'Ada edited the settings of dark_mode'],
  ['feature-tagged', { ...on, data: { type: 'simple', value: 'payments' } }, 'Ada added the tag simple:payments to dark_mode'],
  ['feature-untagged', { ...on, preData: { value: 'payments' } }, 'Ada removed the tag payments from dark_mode'],
  ['feature-completed', { ...on, data: { status: 'discarded' } }, 'Ada marked dark_mode as completed and discarded'],
  ['features-exported', { data: { features: ['a'] } }, 'Ada exported 1 flag: a'],
  ['features-exported', { data: { features: ['a', 'b', 'c', 'd'] } }, 'Ada exported 4 flags: a, b, c and d'],
  [
    'features-exported',
    { environment: 'staging', data: { features: ['a', 'b', 'c', 'd', 'e'] } },
    'Ada exported 5 flags from staging: a, b, c and 2 more',
  ],
  ['user-created', { data: { id: 3, name: 'Eddie', email: 'e@example.com' } }, 'Ada created the user Eddie'],
  ['user-deleted', { preData: { id: 9, email: 'gone@example.com' } }, 'Ada deleted the user gone@example.com'],
  ['user-updated', { data: { id: 9 } }, 'Ada changed user 9'],
  ['group-user-added', { data: { groupId: 1, userId: 2 } }, 'Ada added user 2 to group 1'],
  [
    'project-user-role-changed',
    { project: 'labs', data: { userId: 3, roleName: 'Owner' } },
    'Ada changed the role of user 3 in project labs to Owner',
  ],
  [
    'project-access-added',
    { project: 'labs', data: { users: [{ id: 1 }], groups: [{ id: 1 }, { id: 2 }] } },
    'Ada gave access to project labs for 1 user and 2 groups',
  ],
  [
    'project-environment-added',
    { project: 'labs', data: { environment: 'staging' } },
    'Ada added environment staging to project labs',
  ],
  ['public-signup-token-updated', { data: { secret: 's', enabled: false } }, 'Ada disabled an invite link'],
  ['public-signup-token-created', { data: { secret: 's', name: 'Support team' } }, 'Ada created the invite link “Support team”'],
  ['public-signup-token-user-added', { data: { secret: 's', userId: 7 } }, 'Ada added user 7 by an invite link'],
  [
    'change-added',
    { environment: 'production', project: 'labs', data: { changeRequestId: 12, feature: 'a', id: 99 } },
    'Ada added a change of a to change request 12 for production in project labs',
  ],
  ['change-added', { data: { id: 99 } }, 'Ada added a change to a change request'],
  ['setting-updated', { data: { id: 'maintenance.mode' } }, 'Ada changed the setting maintenance.mode'],
  ['banner-created', { data: { message: ' No\nreleases. ' } }, 'Ada created the banner “No releases.”'],
  ['segment-created', { data: { name: 'x'.repeat(61) } }, `Ada created the segment ${'x'.repeat(59)}…`],
  ['segment-created', { createdBy: ' ', data: { name: ['beta'], id: {} } }, 'Somebody created a segment'],
  ['api-token-created', { project: '*', data: { tokenName: 'ci' }, environment: 'dev' }, 'Ada created the API token ci in dev'],
  ['new-type', { featureName: 'checkout' }, 'Ada did “new-type” to checkout'],
  ['new-type', on, 'Ada did “new-type” to dark_mode in production'],
  ['new-type', { project: 'labs' }, 'Ada did “new-type” in project labs'],
  ['new-type', {}, 'Ada did “new-type”'],
];
