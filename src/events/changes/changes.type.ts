import 'reflect-metadata';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import type { JsonText } from '../../formats/json-text.js';
import { GraphQLJson } from '../../graphql/json.js';
import { CHANGE_KINDS, type Change, type ChangeKind } from './change-list.js';

export const ChangeKindEnum = Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, kind]));

registerEnumType(ChangeKindEnum, {
  name: 'ChangeKind',
  description: 'What happened to a value between `preData` and `data`.',
  valuesConfig: {
    ADDED: { description: 'The value is only in `data`.' },
    REMOVED: { description: 'The value is only in `preData`.' },
    CHANGED: { description: 'The value is another one in `data`.' },
    MOVED: {
      description:
        'The element of a list has another place relative to the other elements that both lists have. `before` and `after` are its positions, from 0. Changes within it are separate items.',
    },
  },
});

@ObjectType('Change', { description: 'One difference between `preData` and `data`.', simpleResolvers: true })
export class ChangeObject {
  @Field(() => ChangeKindEnum, { description: 'What happened to the value.' })
  kind!: ChangeKind;

  @Field(() => [String], {
    description:
      'The place of the value, for people: keys, and for each list element its `id`, `name`, `contextName` with `operator`, `value`, the scalar itself, or else its position. Empty for the whole document.',
  })
  path!: readonly string[];

  @Field(() => String, {
    description:
      'Where the value is, as a JSON Pointer (RFC 6901): in `preData` if it was removed, otherwise in `data`. Empty for the whole document.',
  })
  pointer!: string;

  @Field(() => GraphQLJson, {
    nullable: true,
    description: 'The value in `preData`; null if it was added. The old position if it moved.',
  })
  before!: JsonText | null;

  @Field(() => GraphQLJson, {
    nullable: true,
    description: 'The value in `data`; null if it was removed. The new position if it moved.',
  })
  after!: JsonText | null;
}

@ObjectType('EventChanges', { description: 'The differences between `preData` and `data` of an event.', simpleResolvers: true })
export class EventChangesObject {
  @Field(() => [ChangeObject], {
    description:
      'At most 200 differences. In each object and list, removals come first, then the others in the order of `data`. Numbers are compared by their decimal value. The order of distinct scalars in a list is ignored.',
    // Costs nothing of its own: the cost of `changes` includes it.
    complexity: 0,
  })
  items!: readonly Change[];

  @Field(() => Boolean, {
    description:
      'Whether `items` has every difference. It is false beyond any of these limits: 200 differences; 32 levels of nesting; 2,000 elements of a changed list, which is then one item; 1,048,576 characters of `preData` or `data`; 100,000 characters of all paths together, or 4,000 more than both documents have.',
  })
  complete!: boolean;
}
