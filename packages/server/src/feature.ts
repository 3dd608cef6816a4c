import type { ExpandedType, LiveEvents, LiveEventType, PaletteType } from '@bey/contract'
import type { Config } from './config.ts'
import type { WorkflowDefinition } from './features/workflows/definition/definition.ts'
import type { Refusals } from './platform/audit/refusals.ts'
import type { BelongingsKind } from './platform/belongings.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/db/database.ts'
import type { DemoLife, DemoPart } from './platform/demo.ts'
import type { Retention } from './platform/db/retention.ts'
import type { Upgrade } from './platform/http/upgrades.ts'
import type { InventorySource, RelationSource } from './platform/inventory.ts'
import type { KeyAccess } from './platform/keys/key-access.ts'
import type { Enricher } from './platform/live/enrichments.ts'
import type { Live } from './platform/live/live.ts'
import type { publishAll } from './platform/live/publish.ts'
import type { Log } from './platform/log.ts'
import type { MailDelivery } from './platform/mail/mail.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { Outbound } from './platform/outbound/outbound.ts'
import type { PaletteSource } from './platform/palette-source.ts'

/** The platform as features are given it. */
export type Parts = {
  database: Database
  live: Live
  publish: typeof publishAll
  clock: Clock
  log: Log
  /** Where collectors write what they measure. */
  metrics: Metrics
  /** The way to addresses that users name. */
  outbound: Outbound
  /** Who holds an API key. */
  keyAccess: KeyAccess
  /** Whether and how mails leave; `enqueueMail` queues them. */
  mail: MailDelivery
  /** Counts what was refused, which the audit log then says. */
  refusals: Refusals
  config: Config
}

/** What a feature brings. `app.ts` lists features; whatever they bring is taken up there and nowhere else. */
export type Feature = {
  /** Of the endpoints that are the feature's; the types of all together must cover the contract. */
  handlers: object
  /** Built-in workflows that the engine executes; it starts when every feature has brought its own. */
  workflows?: readonly WorkflowDefinition[]
  /** How the data of events that are published without it is built. */
  expansions?: { [T in ExpandedType]?: (organizationId: number) => Promise<LiveEvents[T]> }
  /** What its events are delivered with beyond what they were published with. */
  enrichments?: { [T in LiveEventType]?: Enricher<T> }
  /** What the command palette lists of its entities. */
  palette?: { [T in PaletteType]?: PaletteSource }
  /** What the inventory of resources lists of it, and how that relates to other things. */
  inventory?: readonly InventorySource[]
  relations?: readonly RelationSource[]
  /** What a person has of it in an organization, to decide about when they leave. */
  belongings?: readonly BelongingsKind[]
  /** What it adds to a demo organization. */
  demo?: DemoPart
  /** What of it goes on in demos. */
  demoLife?: DemoLife
  /** Connections that it takes over from HTTP. */
  upgrade?: Upgrade
  /** Deletes what has run out; asked at the start and every hour. */
  retention?: Retention
  /** Ends what it began and holds, such as jobs and open streams; the database and the engine are still there. */
  close?: () => Promise<void>
}

type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never

/** The handlers of all features together, under the names of their endpoints. */
export function handlersOf<F extends Feature>(features: readonly F[]): Intersection<F['handlers']> {
  // Merging at run time is what the intersection says of the types.
  return Object.assign({}, ...features.map(({ handlers }) => handlers)) as Intersection<F['handlers']>
}

/** What the palette lists, type by type. */
export function paletteOf<F extends Feature>(
  features: readonly F[],
): Intersection<F extends { palette: infer P } ? P : never> {
  return Object.assign({}, ...features.map(({ palette }) => palette)) as never
}

/** Lets the live hub build what features publish without data, and add to it what screens show. */
export function expandBy(live: Live, features: readonly Feature[]): void {
  for (const { expansions, enrichments } of features) {
    for (const [type, read] of Object.entries(enrichments ?? {})) {
      // The keys are those of the type.
      live.enrich(type as LiveEventType, read as Enricher)
    }
    for (const [type, build] of Object.entries(expansions ?? {})) {
      // The keys are those of the type.
      live.expand(type as ExpandedType, build)
    }
  }
}

/** What people have of all features in an organization. */
export function belongingsOf(features: readonly Feature[]): BelongingsKind[] {
  return features.flatMap(({ belongings }) => belongings ?? [])
}

/** What all features have for the inventory of resources. */
export function inventoryOf(features: readonly Feature[]): InventorySource[] {
  return features.flatMap(({ inventory }) => inventory ?? [])
}

/** The inventory, and what all features know of how its resources relate. */
export function sourcesOf(features: readonly Feature[]): {
  inventory: InventorySource[]
  relations: RelationSource[]
} {
  return {
    inventory: inventoryOf(features),
    relations: features.flatMap(({ relations }) => relations ?? []),
  }
}

/** What all features add to a demo. */
export function demoPartsOf(features: readonly Feature[]): DemoPart[] {
  return features.flatMap(({ demo }) => demo ?? [])
}

/** What of all features goes on in demos. */
export function demoLivesOf(features: readonly Feature[]): DemoLife[] {
  return features.flatMap(({ demoLife }) => demoLife ?? [])
}

/** The built-in workflows of all features. */
export function workflowsOf(features: readonly Feature[]): WorkflowDefinition[] {
  return features.flatMap(({ workflows }) => workflows ?? [])
}

/** What features delete when it has run out. */
export function retentionsOf(features: readonly Feature[]): Retention[] {
  return features.flatMap(({ retention }) => retention ?? [])
}

/** Closes every feature, the last one first; a failure of one does not keep the others open. */
export async function closeFeatures(features: readonly Feature[]): Promise<void> {
  const failures: unknown[] = []
  for (const { close } of features.toReversed()) {
    await close?.().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'A feature could not be closed')
}
