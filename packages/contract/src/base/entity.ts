import type { Permission } from './permissions.ts'

/** `quiet`: nothing to see; `busy`: under way and will end by itself; `warn` and `danger`: look at it. */
export type StatusTone = 'quiet' | 'ok' | 'busy' | 'warn' | 'danger'

/** Who receives an event, besides the permission that it requires. */
export type EventAudience =
  /** Every member. */
  | 'organization'
  /** Whoever follows one of these subscriptions; `subject` is whatever the run works on. */
  | { followersOf: readonly string[] }
  /** The one user whose id stands in this field of the data. */
  | { userIn: string }

/** An event as webhooks send it. */
export type WebhookRule = {
  /** Its `type` (Standard Webhooks): noun and what happened, in dots. */
  name: string
  /** When it is sent, as a sentence. */
  about: string
  /** The `data` of one, for anyone who writes a receiver. */
  sample: Readonly<Record<string, unknown>>
  /** Every status that its `data` can carry, for filters. Absent: it carries none. */
  statuses?: readonly string[]
}

export type EventRule = {
  audience: EventAudience
  /** Where it is another one than that for reading the entity. */
  permission?: Permission
  /** Built at delivery: a notification of the database cannot carry it. */
  isExpanded?: true
  /** Published by every act on one of them: the field of its data that carries the id. */
  changedId?: string
  /** Absent where webhooks do not send it, as of what is built at delivery or streams. */
  webhook?: WebhookRule
  /** Sent as well, each when the event carries one of its statuses. */
  webhooksOfStatus?: readonly WebhookRule[]
}

export type SubscriptionRule = {
  /** Which field of the command, and of an event's data, names what is followed; without it, all of the kind. */
  idField?: string
  permission?: Permission
  /** What is followed, for people; after the id if there is one. */
  label: string
}

export type PaletteRule = {
  /** Heading of its group; groups stand in the order of the table of entities. */
  group: string
  /** What a result is, beside its title. */
  category: string
  categoryIfReadOnly?: string
  /** The letter that, after `g`, opens the list and, after `n`, the form for a new one. */
  key?: string
  /** Which of them to suggest before anything is typed: how urgent, up to 10, and how many at most. */
  suggest: Partial<Record<'failing' | 'any' | 'unused', { priority: number; count: number }>>
}

/** How files describe things of a type (`bey apply`). Their fields are those that creating takes. */
export type AsCodeRule = {
  /** Its endpoints are `<noun>.list`, `.create`, `.update` and `.delete`. */
  noun: string
  /** Absent where no file creates or deletes one. */
  create?: string
  update: string
  delete?: string
  /** The read that has all its fields, where the rows of the list lack some, and the property that holds them. */
  detail?: { endpoint: string; params?: Readonly<Record<string, string>>; property?: string }
  /** Field that names it, by which files find it. Default: `name`. */
  nameField?: string
  /** Fields that no file holds: values that are secret, and what belongs to one request. */
  without?: readonly string[]
  /** Fields that are chosen when it is created, and cannot be changed. */
  fixed?: readonly string[]
  /** The version of a row, and how an update sends it back. Absent: the thing is read again right before it is changed. */
  version?: { field: string; sentAs: string }
  /** An update replaces all fields and not those alone that are sent. */
  replacesAll?: true
  /** What creating takes and no file holds, such as the value of a secret. */
  givenValue?: string
  /** Property of the reply to creating that is shown once. */
  shownOnce?: string
  /** Fields as a file writes them, where the reply has more in them. */
  specOf?: (row: never) => Readonly<Record<string, unknown>>
  /** Rows that files never describe, such as what Bey itself made. */
  isBuiltIn?: (row: never) => boolean
}

/** A type of thing that an organization has: everything about it that is not code. */
export type EntityDescriptor = {
  idKind: 'number' | 'uuid'
  /** In lower case, as within a sentence. */
  singular: string
  plural: string
  /** Name of a lucide icon, kebab-case. */
  icon: string
  /** Pages of the console; `{id}` and other names in braces are parts of the address. */
  paths: { list: string; detail?: string; create?: string; tabs?: readonly string[] }
  readPermission: Permission
  /** Every status that a row of it can show. */
  statuses: Readonly<Record<string, StatusTone>>
  /** Whose words they are: `running` is healthy of a thing and under way of a run. */
  statusOwner?: 'run'
  /** How a row is called. */
  label: (row: never) => string
  /** Distinguishes it from others with a similar name. */
  subtitle: (row: never) => string
  events: Readonly<Record<string, EventRule>>
  subscriptions: Readonly<Record<string, SubscriptionRule>>
  /** What webhooks send of it besides its live events. */
  messages?: readonly WebhookRule[]
  /** Value of the service at whose end the sidebar lists it, where the catalogue does not name its place itself. */
  sidebar?: string
  /** Absent where no file describes it. */
  asCode?: AsCodeRule
  /** Absent where the command palette does not list it. */
  palette?: PaletteRule
}

/** Keeps a descriptor's literal types, from which the types of the wire are derived. */
export function entity<const D extends EntityDescriptor>(descriptor: D): D {
  return descriptor
}

/** Joins what there is of a subtitle. */
export function joined(parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ')
}
