import type { AnnotationEvents } from '../annotations/entity.ts'
import { annotationEntity } from '../annotations/entity.ts'
import type { ApiKeyEvents } from '../api-keys/entity.ts'
import { apiKeyEntity } from '../api-keys/entity.ts'
import type { ClusterEvents } from '../clusters/entity.ts'
import { clusterEntity } from '../clusters/entity.ts'
import type { DatabaseEvents } from '../databases/entity.ts'
import { databaseEntity, databasePermissions } from '../databases/entity.ts'
import type { PermissionRules } from './permission-rule.ts'
import type { EntityDescriptor, PaletteRule } from './entity.ts'
import type { ErrorEvents } from '../error-log/entity.ts'
import { errorEntity } from '../error-log/entity.ts'
import type { MemberEvents } from '../members/entity.ts'
import { memberEntity } from '../members/entity.ts'
import type { RunEvents } from '../workflows/run-entity.ts'
import { runEntity } from '../workflows/run-entity.ts'
import type { WorkflowEvents } from '../workflows/entity.ts'
import type { SecretEvents } from '../secrets/entity.ts'
import { secretEntity } from '../secrets/entity.ts'
import type { WebhookEvents } from '../webhooks/entity.ts'
import { webhookEntity } from '../webhooks/entity.ts'
import { workflowEntity } from '../workflows/entity.ts'

import type { NetworkEvents } from '../networks/entity.ts'
import { networkEntity, networkPermissions } from '../networks/entity.ts'

import type { AlertEvents } from '../alerts/entity.ts'
import { alertEntity, alertPermissions } from '../alerts/entity.ts'
import type { BoardEvents } from '../boards/entity.ts'
import { boardEntity, boardPermissions } from '../boards/entity.ts'
import type { BudgetEvents } from '../billing/budget-entity.ts'
import { budgetEntity } from '../billing/budget-entity.ts'
import type { ReportEvents } from '../reports/entity.ts'
import { reportEntity, reportPermissions } from '../reports/entity.ts'

/** Every type of thing that an organization has, in the order in which they are listed side by side. */
export const entities = {
  cluster: clusterEntity,
  workflow: workflowEntity,
  run: runEntity,
  secret: secretEntity,
  database: databaseEntity,
  error: errorEntity,
  annotation: annotationEntity,
  member: memberEntity,
  apiKey: apiKeyEntity,
  webhook: webhookEntity,
  network: networkEntity,
  alert: alertEntity,
  board: boardEntity,
  budget: budgetEntity,
  report: reportEntity,
} as const

/** Permissions that entities bring, with their least role and their words. */
export const entityPermissions = {
  ...alertPermissions,
  ...boardPermissions,
  ...reportPermissions,
  ...networkPermissions,
  ...databasePermissions,
} as const satisfies PermissionRules

/** The live events of all of them, with what each carries. */
export type EntityEvents = AlertEvents &
  BoardEvents &
  BudgetEvents &
  ReportEvents &
  NetworkEvents &
  DatabaseEvents &
  ClusterEvents &
  WorkflowEvents &
  RunEvents &
  SecretEvents &
  ErrorEvents &
  AnnotationEvents &
  ApiKeyEvents &
  WebhookEvents &
  MemberEvents

export type Entities = typeof entities
export type EntityType = keyof Entities

/** One thing of an organization. `id` is text whatever its kind, so that a number and a UUID travel alike. */
export type EntityRef = { type: EntityType; id: string }

/** An id as its own type writes it. */
export type EntityId<T extends EntityType> = Entities[T]['idKind'] extends 'number' ? number : string

export const entityTypes = Object.keys(entities) as readonly EntityType[]

/** Types that the command palette lists. */
export type PaletteType = {
  [T in EntityType]: Entities[T] extends { palette: object } ? T : never
}[EntityType]

export const paletteTypes = entityTypes.filter((type): type is PaletteType => 'palette' in entities[type])

/** How the palette shows a type. */
export function paletteRule(type: PaletteType): PaletteRule {
  return entities[type].palette
}

/** The descriptor of a type, for code that treats all of them alike. */
export function entityOf(type: EntityType): EntityDescriptor {
  return entities[type]
}

/** Page of one thing; undefined where its type has none, or one that takes more than its id. */
export function entityHref({ type, id }: EntityRef): string | undefined {
  const path = entityOf(type).paths.detail?.replace('{id}', encodeURIComponent(id))
  return path?.includes('{') === false ? path : undefined
}

const maxNumber = 2_147_483_647
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (id: string): boolean => uuidPattern.test(id)

/** Whether a text can be an id of the type at all; PostgreSQL would fail to read another one. */
export function isIdOf(type: EntityType, id: string): boolean {
  if (entityOf(type).idKind === 'uuid') return isUuid(id)
  return /^\d{1,10}$/.test(id) && Number(id) <= maxNumber
}

/** Whether a thing of this status needs somebody to look at it. */
export function isFailing(type: EntityType, status: string): boolean {
  return entityOf(type).statuses[status] === 'danger'
}

/** Name of a type at the beginning of a label: `Clusters`. */
export function pluralLabel(type: EntityType): string {
  const { plural } = entityOf(type)
  return plural.charAt(0).toUpperCase() + plural.slice(1)
}

/** Lists and forms of a type as a service names them. */
export function entityRoutes(type: EntityType): { label: string; path: string }[] {
  const { paths, singular } = entityOf(type)
  const list = { label: pluralLabel(type), path: paths.list }
  return paths.create === undefined ? [list] : [list, { label: `Create ${singular}`, path: paths.create }]
}
