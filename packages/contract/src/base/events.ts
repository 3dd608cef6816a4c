import type { EventRule } from './entity.ts'
import { entityOf, entityTypes } from './entity-table.ts'
import type { Entities, EntityEvents, EntityType } from './entity-table.ts'
import type { LivePosition } from './live-position.ts'
import type { Permission } from './permissions.ts'
import { subscriptionTable } from './subscriptions.ts'
import type { SubscriptionKind } from './subscriptions.ts'

export type EventFacts = EventRule & { permission: Permission }

type OtherEvents = {
  /** Tags or owners of so many resources changed. */
  RESOURCES_UPDATE: { changed: number }
  ENGINE_STATUS_UPDATE: { activeWorkflows: number; status: string }
  /** This user's notifications changed, or were read. Reaches only them. */
  NOTIFICATIONS_UPDATE: {
    userId: number
    /** When the event is delivered; 100 means more than 99. */
    unreadCount?: number
  }
}

/** What each live event carries as `data`. An event carries what changed; REST gives the state. */
export type LiveEvents = EntityEvents & OtherEvents
export type LiveEventType = keyof LiveEvents

/** Events of what is no entity. */
const others = {
  RESOURCES_UPDATE: { audience: 'organization', permission: 'resources.read' },
  ENGINE_STATUS_UPDATE: {
    audience: { followersOf: ['engine_status'] },
    permission: 'engine.read',
    isExpanded: true,
  },
  NOTIFICATIONS_UPDATE: { audience: { userIn: 'userId' }, permission: 'notifications.read' },
} as const satisfies Record<keyof OtherEvents, EventFacts>

type RulesOf<T extends EntityType> = { [K in T]: (rules: Entities[K]['events']) => void }[T]
type AllRules = (RulesOf<EntityType> extends (rules: infer R) => void ? R : never) & typeof others

// Does not compile while an event has data but no rule, or a rule but no data.
const withoutRule: Record<Exclude<LiveEventType, keyof AllRules>, never> = {}
const withoutData: Record<Exclude<keyof AllRules, LiveEventType>, never> = {}

/** Who may receive each event, derived from the descriptors. */
export const eventTable = Object.fromEntries<EventFacts>([
  ...entityTypes.flatMap((type) =>
    Object.entries(entityOf(type).events).map(
      ([name, rule]) => [name, { permission: entityOf(type).readPermission, ...rule }] as const,
    ),
  ),
  ...Object.entries({ ...others, ...withoutRule, ...withoutData }),
]) as Readonly<Record<LiveEventType, EventFacts>>

/** Events whose data is built at delivery. */
export type ExpandedType = {
  [T in LiveEventType]: AllRules[T] extends { isExpanded: true } ? T : never
}[LiveEventType]

export function isExpandedType(type: string): type is ExpandedType {
  return Object.hasOwn(eventTable, type) && eventTable[type as LiveEventType].isExpanded === true
}

/** Keys of the subscriptions that an event is for; undefined: for everybody of its organization. */
export function followersOf({ type, data }: { type: LiveEventType; data: object }): string[] | undefined {
  const { audience } = eventTable[type]
  if (typeof audience === 'string' || !('followersOf' in audience)) return undefined
  return audience.followersOf.flatMap((kind) => keysIn(data, kind))
}

function keysIn(data: object, kind: string): string[] {
  if (kind === 'subject') {
    const subject: { type: string; id: string } | null = Reflect.get(data, 'subject')
    return subject ? [`${subject.type} ${subject.id}`] : []
  }
  const { of } = subscriptionTable[kind as SubscriptionKind]
  return [of ? `${kind} ${Reflect.get(data, of.idField)}` : kind]
}

/** Whom alone an event is for; undefined: for every member who may read it. */
export function recipientOf({ type, data }: { type: LiveEventType; data: object }): number | undefined {
  const { audience } = eventTable[type]
  return typeof audience === 'object' && 'userIn' in audience ? Reflect.get(data, audience.userIn) : undefined
}

/** An event as it is sent on the socket. `target` is always ALL. */
export type EventFrame<T extends LiveEventType = LiveEventType> = {
  [K in T]: {
    id: string
    type: K
    target: 'ALL'
    timestamp: string
    component: string
    message: string
    organizationId: number
    /** Where it stands in the order of its organization's events, in the process that sent it. */
    position?: LivePosition
    data: LiveEvents[K]
  }
}[T]

/** Whether a frame of the socket is one of the events above; its data is what our own server serialized. */
export function isEventFrame(frame: { type: string }): frame is EventFrame {
  return Object.hasOwn(eventTable, frame.type) && 'data' in frame
}
