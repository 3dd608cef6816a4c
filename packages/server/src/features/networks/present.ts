import { healthOfNetwork, type KeptPolicy, type Network } from '@bey/contract'
import { stringify } from 'yaml'

import { AppError } from '../../platform/errors.ts'
import { presentActor } from '../../platform/present-actor.ts'
import type { AttachmentRow } from './attachment-rows.ts'
import type { PolicyRow } from './policy-rows.ts'
import type { NetworkRow } from './store.ts'

export function presentNetwork(row: NetworkRow, attached: readonly AttachmentRow[]): Network {
  const { status, reason } = row
  const statusSince = row.statusSince.toISOString()
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    region: row.region,
    cidr: row.cidr,
    cidr6: row.cidr6,
    isIsolated: row.isIsolated,
    policyKind: row.policyKind,
    subnets: row.subnets,
    sets: row.sets,
    attachments: attached
      .filter(({ networkId }) => networkId === row.id)
      .map(({ kind, clusterId, namespace, databaseId, name, clusterTitle }) => ({
        kind,
        clusterId,
        namespace,
        databaseId,
        name,
        clusterTitle,
      })),
    policyCount: row.policyCount,
    driftCount: row.driftCount,
    status,
    statusSince,
    reason,
    health: healthOfNetwork({ status, reason, statusSince }),
    figures: row.figures,
    version: row.rowVersion,
    lastRun:
      row.lastRunId === null || row.lastWorkflowId === null
        ? null
        : { workflowId: row.lastWorkflowId, runId: row.lastRunId },
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The row of a network that is not deleted; throws AppError `not_found` where there is none. */
export function existing(row: NetworkRow | undefined): NetworkRow {
  if (row !== undefined && row.deletedAt === null) return row
  throw new AppError('not_found', 'There is no such network in this organization.')
}

/** A network as what an act was done to. */
export const networkTarget = ({ id, name }: Pick<NetworkRow, 'id' | 'name'>) =>
  ({ type: 'network', id, name }) as const

/** A policy as it was last found; whether it is still in force is not known of a cluster that did not answer the last look. */
export function presentPolicy(row: PolicyRow, silent: readonly string[]): KeptPolicy {
  const { id, clusterId, clusterTitle, kind, namespace, name, changedBy } = row
  const state = row.state === 'in_force' && silent.includes(clusterTitle) ? 'unknown' : row.state
  return {
    id,
    clusterId,
    clusterTitle,
    kind,
    namespace,
    name,
    state,
    stateSince: row.stateSince.toISOString(),
    checkedAt: row.checkedAt.toISOString(),
    changedBy,
    written: stringify(row.written),
    found: row.found === null ? null : stringify(row.found),
    spec: state === 'changed' || state === 'missing' ? row.written : null,
  }
}
