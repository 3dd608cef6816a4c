import type { DatabaseStatus } from '@bey/contract'

import type { ClusterObject } from './cluster-object.ts'

type Status = Extract<
  DatabaseStatus,
  | 'provisioning'
  | 'available'
  | 'updating'
  | 'restarting'
  | 'scaling'
  | 'failing_over'
  | 'degraded'
  | 'hibernating'
  | 'hibernated'
  | 'deleting'
>

/** What a Cluster of CloudNativePG means for its database. */
export type ClusterState = {
  status: Status
  /** The cause in words; null where there is nothing to say. */
  reason: string | null
  /** It does not end by itself: somebody has to mend the cause. */
  isStuck: boolean
}

type Meaning = { status: Status; isStuck?: true; says?: string }

/** Each phase as CloudNativePG writes it (api/v1/cluster_types.go of its version 1.30 and older). */
const phases: Readonly<Record<string, Meaning>> = {
  'Cluster in healthy state': { status: 'available' },
  'Setting up primary': { status: 'provisioning', says: 'Its first instance is being set up' },
  'Creating a new replica': { status: 'scaling', says: 'A replica is being made' },
  'Waiting for the instances to become active': { status: 'scaling', says: 'Its instances are starting' },
  'Failing over': { status: 'failing_over', says: 'Another instance becomes the primary' },
  'Switchover in progress': { status: 'failing_over', says: 'Another instance becomes the primary' },
  'Promoting to primary cluster': { status: 'failing_over', says: 'It is promoted from a replica cluster' },
  'Upgrading cluster': { status: 'updating', says: 'Its instances are updated one by one' },
  'Upgrading Postgres major version': {
    status: 'updating',
    says: 'PostgreSQL is upgraded to another major version',
  },
  'Online upgrade in progress': { status: 'updating', says: 'Its instance manager is updated' },
  'Applying configuration': { status: 'updating', says: 'Its parameters are applied' },
  'Primary instance is being restarted in-place': { status: 'restarting', says: 'Its primary restarts' },
  'Primary instance is being restarted without a switchover': {
    status: 'restarting',
    says: 'Its primary restarts',
  },
  'Cluster upgrade delayed': { status: 'available', says: 'An update waits for its turn in CloudNativePG' },
  'Waiting for user action': { status: 'degraded', isStuck: true, says: 'CloudNativePG waits for a person' },
  'Cluster is unrecoverable and needs manual intervention': {
    status: 'degraded',
    isStuck: true,
    says: 'CloudNativePG cannot recover it: all volumes of its instances are gone or unusable',
  },
  'Invalid cluster definition': {
    status: 'degraded',
    isStuck: true,
    says: 'CloudNativePG refuses its definition',
  },
  'Unable to create required cluster objects': {
    status: 'degraded',
    isStuck: true,
    says: 'CloudNativePG could not make an object that it needs',
  },
  'Cluster has incomplete or invalid image catalog': {
    status: 'degraded',
    isStuck: true,
    says: 'Its image catalog is missing or has no image for its version',
  },
  'Cluster cannot execute instance online upgrade due to missing architecture binary': {
    status: 'degraded',
    isStuck: true,
    says: 'The operator has no binary for the processors of its nodes',
  },
  'Cluster cannot proceed to reconciliation due to an unknown plugin being required': {
    status: 'degraded',
    isStuck: true,
    says: 'It asks for a plugin that is not installed beside CloudNativePG',
  },
  'Cluster cannot proceed to reconciliation due to an error while interacting with plugins': {
    status: 'degraded',
    isStuck: true,
    says: 'A plugin of CloudNativePG answers with an error',
  },
}

/** No phase at all is known, too: its operator has not looked at it yet. */
export const isKnownPhase = (phase: string) => phase === '' || phases[phase] !== undefined

/** Maps what a Cluster says onto the state of its database, with the cause. */
export function stateOf(object: ClusterObject): ClusterState {
  const { metadata = {}, spec = {}, status = {} } = object
  const phase = status.phase ?? ''
  const wanted = spec.instances ?? 1
  const ready = status.readyInstances ?? 0
  if (metadata.deletionTimestamp !== undefined) return state('deleting', 'Its Cluster is being deleted.')
  const asleep = status.conditions?.find(({ type }) => type === 'cnpg.io/hibernation')
  if (metadata.annotations?.['cnpg.io/hibernation'] === 'on') {
    return asleep?.status === 'True'
      ? state('hibernated', null)
      : state('hibernating', asleep?.message ?? null)
  }
  if (phase === '') return state('provisioning', 'CloudNativePG has not taken up its Cluster yet.')
  const meaning = phases[phase]
  if (meaning === undefined) {
    return state('degraded', `CloudNativePG says "${phase}", a phase that Bey does not know.`)
  }
  const count = `${ready} of ${wanted} ${wanted === 1 ? 'instance is' : 'instances are'} ready`
  if (phase === 'Cluster in healthy state') {
    if (ready >= wanted) return state('available', null)
    return state('degraded', ready === 0 ? 'None of its instances is ready.' : `Only ${count}.`)
  }
  const isGrowing = meaning.status === 'scaling'
  const said = status.phaseReason?.trim().replace(/\.$/, '')
  const detail = isGrowing ? count : said || undefined
  const reason = `${meaning.says}${detail === undefined ? '' : `: ${detail}`}.`
  // Without an instance that is ready nobody can be served, whatever is under way.
  const status_ = isGrowing && ready === 0 ? 'provisioning' : meaning.status
  return { status: status_, reason, isStuck: meaning.isStuck === true }
}

const state = (status: Status, reason: string | null): ClusterState => ({ status, reason, isStuck: false })
