import type { SubscriptionRule } from './entity.ts'
import { entityOf, entityTypes } from './entity-table.ts'
import type { Entities, EntityId, EntityType } from './entity-table.ts'
import type { Permission } from './permissions.ts'

/** What can be followed that is no entity. */
const topics = {
  organization: { label: 'organization', permission: 'organization.read' },
  engine_status: { label: 'engine status', permission: 'engine.read' },
} as const satisfies Record<string, SubscriptionRule>

type TopicKind = keyof typeof topics
type KindOf<T extends EntityType> = keyof Entities[T]['subscriptions'] & string

type FieldOf<R, Id> = R extends { idField: infer F extends string } ? { [K in F]: Id } : unknown

type OfEntity<T extends EntityType> = {
  [K in KindOf<T>]: { kind: K } & FieldOf<Entities[T]['subscriptions'][K], EntityId<T>>
}[KindOf<T>]

/** What a socket can follow. Whatever concerns the organization's own lists is followed from the start. */
export type Subscription =
  | { [K in TopicKind]: { kind: K } }[TopicKind]
  | { [T in EntityType]: OfEntity<T> }[EntityType]
export type SubscriptionKind = Subscription['kind']

export type SubscriptionFacts = {
  permission: Permission
  label: string
  /** What is followed is one of these; absent where it is all of them, or no entity. */
  of?: { type: EntityType; idField: string }
}

/** How to follow each kind, derived from the descriptors. */
export const subscriptionTable = Object.fromEntries([
  ...Object.entries<SubscriptionFacts>(topics),
  ...entityTypes.flatMap((type) =>
    Object.entries(entityOf(type).subscriptions).map(([kind, rule]) => [kind, factsOf(type, rule)] as const),
  ),
]) as Readonly<Record<SubscriptionKind, SubscriptionFacts>>

function factsOf(type: EntityType, { permission, label, idField }: SubscriptionRule): SubscriptionFacts {
  const facts = { permission: permission ?? entityOf(type).readPermission, label }
  return idField === undefined ? facts : { ...facts, of: { type, idField } }
}

/** What is followed, where it is one thing. Its id is text: it may come from a path as well as from a row. */
export function followedEntity(subscription: Subscription): { type: EntityType; id: string } | undefined {
  const { of } = subscriptionTable[subscription.kind]
  return of && { type: of.type, id: String(Reflect.get(subscription, of.idField)) }
}

/** A subscription as a key, the same for client and server. */
export function subscriptionKey(subscription: Subscription): string {
  const followed = followedEntity(subscription)
  return followed ? `${subscription.kind} ${followed.id}` : subscription.kind
}
