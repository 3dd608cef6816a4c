import { entityOf, entityTypes, type EntityType } from '../base/entity-table.ts'
import type { Permission } from '../base/permissions.ts'

/** What metrics are of: a thing of an organization, or the organization as a whole. */
export const measuredTypes = [...entityTypes, 'organization'] as const
export type MeasuredType = EntityType | 'organization'

/** What a caller needs to read metrics of a type. */
export const measuredPermission = (type: MeasuredType): Permission =>
  type === 'organization' ? 'analytics.read' : entityOf(type).readPermission

/** The label that names the measured thing in a series: `cluster`, `api_key`. */
export const measuredLabel = (type: MeasuredType): string =>
  type === 'organization'
    ? type
    : entityOf(type)
        .singular.toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')

/** "clusters", as a heading of a list. */
export const measuredPlural = (type: MeasuredType): string =>
  type === 'organization' ? 'organization' : entityOf(type).plural
