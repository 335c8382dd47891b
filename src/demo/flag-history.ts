import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../events/event-types.js';
import type { Environment, Flag, Person } from './sample-team.js';

interface Tag {
  readonly type: string;
  readonly value: string;
}

interface Change {
  readonly environment?: string | undefined;
  readonly data?: unknown;
  readonly preData?: unknown;
}

/** An event without its id: ids follow the order of the whole log. */
export interface Draft extends Change {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: Person;
  readonly type: EventType;
  readonly project?: string;
  readonly featureName?: string;
  readonly tags?: readonly Tag[];
}

/** The time of an action on a flag, and the person who acts. */
export type Act = readonly [at: number, by: Person];

/** Records the events of one flag. Keeps the state of the flag, so that each event fits the earlier ones and has a later time. */
export class FlagHistory {
  readonly #strategies = new Map<Environment, object>();
  readonly #enabled = new Set<Environment>();
  #description: string;
  #tags: readonly Tag[] = [];
  #last = 0;

  constructor(
    private readonly flag: Flag,
    private readonly record: (draft: Draft) => void,
  ) {
    this.#description = flag.description;
  }

  add([at, by]: Act, type: EventType, change: Change = {}): void {
    const { name, project } = this.flag;
    this.#last = Math.max(at, this.#last + 1_000);
    this.record({ at: this.#last, by, type, project: project.id, featureName: name, tags: this.#tags, ...change });
  }

  create(act: Act): void {
    this.add(act, 'feature-created', { data: this.#metadata() });
    this.tag(act, 'team', this.flag.project.id);
  }

  describe(act: Act, description: string): void {
    if (description === this.#description) return;
    const preData = this.#metadata();
    this.#description = description;
    this.add(act, 'feature-metadata-updated', { data: this.#metadata(), preData });
  }

  tag(act: Act, type: string, value: string): void {
    if (this.#tags.some((tag) => tag.value === value)) return;
    this.#tags = [...this.#tags, { type, value }];
    this.add(act, 'feature-tagged', { data: { type, value } });
  }

  /** Adds a strategy that enables the flag for `percent` of the users, or changes the percentage. */
  rollOut(act: Act, environment: Environment, percent: number, segments: readonly number[] = []): void {
    const parameters = { groupId: this.flag.name, rollout: String(percent), stickiness: 'default' };
    const data = { id: `${this.flag.name}-${environment}`, name: 'flexibleRollout', constraints: [], parameters, segments };
    const preData = this.#strategies.get(environment);
    if (isDeepStrictEqual(preData, data)) return;
    this.#strategies.set(environment, data);
    this.add(act, preData ? 'feature-strategy-update' : 'feature-strategy-add', { environment, data, preData });
  }

  removeStrategy(act: Act, environment: Environment): void {
    const preData = this.#strategies.get(environment);
    if (this.#strategies.delete(environment)) this.add(act, 'feature-strategy-remove', { environment, preData });
  }

  toggle(act: Act, environment: Environment, isOn = !this.#enabled.has(environment)): void {
    if (isOn === this.#enabled.has(environment)) return;
    if (isOn) this.#enabled.add(environment);
    else this.#enabled.delete(environment);
    this.add(act, isOn ? 'feature-environment-enabled' : 'feature-environment-disabled', { environment });
  }

  #metadata(): object {
    const { name, type, project } = this.flag;
    return {
      name,
      description: this.#description,
      type,
      project: project.id,
      stale: false,
      archived: false,
      impressionData: false,
    };
  }
}
