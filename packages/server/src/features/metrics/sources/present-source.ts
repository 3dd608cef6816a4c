import type { MetricSource } from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import type { SourceRow } from './source-rows.ts'

export function presentSource(row: SourceRow): MetricSource {
  return {
    id: row.id,
    name: row.name,
    target: row.target,
    clusterName: row.clusterName,
    secretName: row.secretName,
    problem: row.problem,
    testedAt: row.testedAt?.toISOString() ?? null,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The source of the organization; throws AppError `not_found` where there is none. */
export function existingSource(row: SourceRow | undefined): SourceRow {
  if (row !== undefined) return row
  throw new AppError('not_found', 'The data source is not there any more. Choose another one.')
}
