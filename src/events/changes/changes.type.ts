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
        'The element of a list is in another place among the elements that are in both lists. `before` and `after` are its positions, from 0. Changes within it are items of their own.',
    },
  },
});

@ObjectType('Change', { description: 'One difference between `preData` and `data`.', simpleResolvers: true })
export class ChangeObject {
  @Field(() => ChangeKindEnum, { description: 'What happened to the value.' })
  kind!: ChangeKind;

  @Field(() => [String], {
    description:
      'Where the value is, for people to read: keys, and for elements of lists their `id`, `name`, `contextName` and `operator`, or `value`, or the scalar itself, or else the position. Empty for the whole document.',
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
      'The differences, at most 200: in each object and list first what was removed, then the others in the order of `data`. Numbers are compared by their decimal value, and lists of different scalars as sets.',
    // Costs nothing of its own: the cost of `changes` includes it.
    complexity: 0,
  })
  items!: readonly Change[];

  @Field(() => Boolean, {
    description:
      'Whether `items` has every difference. It does not if there are more than 200, if values are nested deeper than 32 levels, if a list that changed has more than 2,000 elements, if their paths have more than 100,000 characters together or 4,000 more than the two documents, or if `preData` or `data` has more than 1,048,576 characters. A longer list that changed is one item.',
  })
  complete!: boolean;
}
