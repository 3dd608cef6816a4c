import type { Health } from '../base/health.ts'

export const networkStatuses = [
  'pending',
  'creating',
  'active',
  'updating',
  'degraded',
  'error',
  'deleting',
  'deleted',
] as const
export type NetworkStatus = (typeof networkStatuses)[number]

/** Legal moves of a network. A degraded one can be updated: that is how it is put right. */
export const networkMoves: Record<NetworkStatus, readonly NetworkStatus[]> = {
  pending: ['creating', 'error', 'deleting'],
  creating: ['active', 'error', 'deleting'],
  active: ['updating', 'degraded', 'deleting'],
  updating: ['active', 'error', 'deleting'],
  degraded: ['active', 'updating', 'deleting'],
  error: ['updating', 'deleting'],
  deleting: ['deleted', 'error'],
  deleted: [],
}

type Subject = { status: NetworkStatus }

/** What a network's own state allows; the caller's role is asked apart. Each answers why not, or undefined. */
export const networkCan = {
  /** Its ranges, subnets, attachments or security groups. */
  change({ status }: Subject): string | undefined {
    if (status === 'active' || status === 'degraded' || status === 'error') return undefined
    return status === 'deleted' ? 'It is deleted.' : `It is ${status}. Wait until that is done.`
  },
  delete({ status, attachedCount }: Subject & { attachedCount: number }): string | undefined {
    if (status === 'deleting' || status === 'deleted') return `It is ${status}.`
    if (status === 'pending' || status === 'creating' || status === 'updating') {
      return `It is ${status}. Wait until that is done.`
    }
    if (attachedCount === 0) return undefined
    const things = attachedCount === 1 ? '1 thing is' : `${attachedCount} things are`
    return `${things} attached to it. Detach ${attachedCount === 1 ? 'it' : 'them'} first.`
  },
}

/** The health of a network, from its status. */
export function healthOfNetwork(network: {
  status: NetworkStatus
  reason: string | null
  statusSince: string
}): Health {
  const { status, reason, statusSince: since } = network
  const of = (state: Health['state'], word: string, detail: string): Health => ({
    state,
    reason: word,
    detail,
    since,
    object: null,
  })
  switch (status) {
    case 'active':
      return { state: 'healthy', reason: null, detail: null, since, object: null }
    case 'degraded':
      return of('degraded', 'NotAsHeld', reason ?? 'Something of it differs from its definition in Bey.')
    case 'error':
      return of('failing', 'OperationFailed', reason ?? 'Its last change failed.')
    case 'deleted':
      return of('unknown', 'Deleted', 'It is deleted.')
    default:
      return of('starting', status, `It is ${status}.`)
  }
}
