import { entityOf, entityTypes, isIdOf } from '../base/entity-table.ts'
import type { EntityType } from '../base/entity-table.ts'

/** A thing as a message names it, with its page. */
export type NamedThing = {
  id: string | number
  /** Null where it was deleted before the message was made. */
  name: string | null
  url: string
}

/** Names of the things that a message is about, by their type. */
export type ThingNames = Partial<Record<EntityType, string | null>>

const idFields = Object.fromEntries(
  entityTypes.map((type) => [type, type === 'member' ? 'userId' : `${type}Id`]),
  // The keys are the types.
) as Readonly<Record<EntityType, string>>

/** The things that the data of a message names: by `clusterId`, `runId` and so on, and what a run works on. */
export function thingsIn(data: object): Partial<Record<EntityType, string | number>> {
  const things: Partial<Record<EntityType, string | number>> = {}
  const subject: unknown = Reflect.get(data, 'subject')
  if (isSubject(subject) && isIdOf(subject.type, subject.id)) things[subject.type] = subject.id
  for (const type of entityTypes) {
    const id: unknown = Reflect.get(data, idFields[type])
    if ((typeof id === 'string' || typeof id === 'number') && isIdOf(type, String(id))) things[type] = id
  }
  return things
}

/** The status that the data of a message carries: of a run, a step, a cluster, or its health. Null: none. */
export function messageStatus(data: object): string | null {
  for (const field of ['status', 'stepStatus', 'health']) {
    const status: unknown = Reflect.get(data, field)
    if (typeof status === 'string') return status
  }
  return null
}

/** What a message says of the things in its data: their names, and their pages below `baseUrl`. */
export function thingsOf(data: object, names: ThingNames, baseUrl: string): Record<string, NamedThing> {
  const things = thingsIn(data)
  return Object.fromEntries(
    entityTypes.flatMap((type) => {
      const id = things[type]
      if (id === undefined) return []
      return [[type, { id, name: names[type] ?? null, url: `${baseUrl}${pageOf(type, things)}` }]]
    }),
  )
}

/** Names of the things of a sample. */
export function sampleNames(data: object): ThingNames {
  const given: unknown = Reflect.get(data, 'name')
  return Object.fromEntries(
    Object.keys(thingsIn(data)).map((type) => [
      type,
      // The keys are types.
      typeof given === 'string' ? given : `Example ${entityOf(type as EntityType).singular}`,
    ]),
  )
}

function pageOf(type: EntityType, things: Partial<Record<EntityType, string | number>>): string {
  const { detail, list } = entityOf(type).paths
  if (detail === undefined || (type === 'run' && things.workflow === undefined)) return list
  const part = (id: string | number | undefined) => encodeURIComponent(String(id))
  return detail.replace('{id}', part(things[type])).replace('{workflowId}', part(things.workflow))
}

function isSubject(value: unknown): value is { type: EntityType; id: string } {
  if (typeof value !== 'object' || value === null) return false
  const { type, id } = value as Record<string, unknown>
  return typeof id === 'string' && entityTypes.some((each) => each === type)
}
