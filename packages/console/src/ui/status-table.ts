export type StatusGlyph =
  | 'dot'
  | 'ring'
  | 'half'
  | 'check'
  | 'triangle'
  | 'barred'
  | 'pause'
  | 'clock'
  | 'info'
export type StatusTone = 'quiet' | 'ok' | 'warn' | 'danger' | 'info'

export interface StatusLook {
  label: string
  glyph: StatusGlyph
  tone: StatusTone
  /** Something is under way and will end by itself. */
  isBusy: boolean
}

const look = (label: string, glyph: StatusGlyph, tone: StatusTone, isBusy = false): StatusLook => ({
  label,
  glyph,
  tone,
  isBusy,
})

/** Every status that any screen shows. Healthy and finished things stay grey: colour is for exceptions. */
export const statusTable: Readonly<Record<string, StatusLook>> = {
  healthy: look('healthy', 'dot', 'quiet'),
  starting: look('starting', 'half', 'info', true),
  degraded: look('degraded', 'triangle', 'warn'),
  failing: look('failing', 'triangle', 'danger'),

  ok: look('quiet', 'dot', 'quiet'),
  firing: look('firing', 'triangle', 'danger'),
  no_data: look('no data', 'ring', 'warn'),
  off: look('off', 'pause', 'quiet'),

  exceeded: look('exceeded', 'triangle', 'danger'),
  grace: look('exceeded, runs wait soon', 'clock', 'danger'),
  enforced: look('exceeded, runs wait', 'pause', 'danger'),

  pending: look('pending', 'ring', 'quiet'),
  creating: look('creating', 'half', 'info', true),
  running: look('running', 'dot', 'ok'),
  updating: look('updating', 'half', 'info', true),
  error: look('error', 'triangle', 'danger'),
  deleted: look('deleted', 'barred', 'quiet'),
  completed: look('completed', 'check', 'quiet'),
  failed: look('failed', 'triangle', 'danger'),

  provisioning: look('provisioning', 'half', 'info', true),
  available: look('available', 'dot', 'quiet'),
  restarting: look('restarting', 'half', 'info', true),
  scaling: look('scaling', 'half', 'info', true),
  failing_over: look('failing over', 'half', 'info', true),
  hibernating: look('hibernating', 'half', 'info', true),
  hibernated: look('hibernated', 'pause', 'quiet'),
  resuming: look('resuming', 'half', 'info', true),
  deleting: look('deleting', 'half', 'info', true),

  finalizing: look('finalizing', 'half', 'info', true),
  verifying: look('being proven', 'half', 'info', true),
  verified: look('proven', 'check', 'quiet'),
  verify_failed: look('cannot be restored', 'triangle', 'danger'),
  preparing: look('preparing', 'half', 'info', true),
  restoring: look('fetching', 'half', 'info', true),
  replaying: look('replaying', 'half', 'info', true),
  validating: look('being checked', 'half', 'info', true),
  passed: look('passed', 'check', 'quiet'),
  could_not_run: look('could not run', 'ring', 'quiet'),

  idle: look('idle', 'ring', 'quiet'),
  draft: look('draft', 'ring', 'quiet'),
  archived: look('archived', 'barred', 'quiet'),
  queued: look('queued', 'ring', 'quiet'),
  scheduled: look('scheduled', 'clock', 'quiet'),
  manual: look('manual', 'ring', 'quiet'),
  waiting: look('waiting', 'clock', 'info'),
  paused: look('paused', 'pause', 'warn'),
  cancelling: look('cancelling', 'half', 'warn', true),
  cancelled: look('cancelled', 'barred', 'quiet'),
  timed_out: look('timed out', 'triangle', 'danger'),
  needs_attention: look('needs attention', 'triangle', 'warn'),
  expired: look('expired', 'barred', 'quiet'),
  ready: look('ready', 'dot', 'ok'),
  not_ready: look('not ready', 'triangle', 'danger'),
  synced: look('in step', 'check', 'quiet'),
  drifted: look('drifted', 'triangle', 'warn'),
  conflict: look('not made by Bey', 'triangle', 'warn'),
  removing: look('being removed', 'half', 'info', true),
  retry_wait: look('waiting to retry', 'clock', 'warn'),
  succeeded: look('succeeded', 'check', 'quiet'),
  skipped: look('skipped', 'barred', 'quiet'),
  uncertain: look('uncertain', 'triangle', 'warn'),

  terminating: look('terminating', 'half', 'info', true),
  unknown: look('unknown', 'ring', 'warn'),
  normal: look('normal', 'info', 'quiet'),
  warning: look('warning', 'triangle', 'warn'),
  reachable: look('reachable', 'dot', 'ok'),
  unreachable: look('unreachable', 'triangle', 'danger'),
  active: look('active', 'dot', 'quiet'),
  rotating: look('rotating', 'half', 'info', true),
  revoked: look('revoked', 'barred', 'quiet'),
  enabled: look('enabled', 'dot', 'quiet'),
  auto_disabled: look('disabled', 'triangle', 'danger'),
  sending: look('sending', 'half', 'info', true),
  retrying: look('retrying', 'clock', 'warn'),
  delivered: look('delivered', 'check', 'quiet'),
  exhausted: look('given up', 'triangle', 'danger'),
  disabled: look('disabled', 'pause', 'warn'),
  pending_deletion: look('being deleted', 'clock', 'warn'),
  current: look('current', 'dot', 'quiet'),
  superseded: look('superseded', 'check', 'quiet'),
  soft_deleted: look('deleted', 'barred', 'quiet'),
  destroyed: look('destroyed', 'barred', 'quiet'),
  expiring: look('expiring', 'clock', 'warn'),
  lapsed: look('expired', 'triangle', 'warn'),

  open: look('open', 'ring', 'quiet'),
  regressed: look('came back', 'triangle', 'warn'),
  resolved: look('resolved', 'check', 'quiet'),
  ignored: look('ignored', 'barred', 'quiet'),
  live: look('live', 'dot', 'ok'),
  connected: look('connected', 'dot', 'ok'),
  connecting: look('connecting', 'half', 'info', true),
  reconnecting: look('reconnecting', 'half', 'danger', true),
  disconnected: look('disconnected', 'triangle', 'danger'),
}

const pending: StatusLook = look('pending', 'ring', 'quiet')

/** What has a status: a thing that runs for as long as it is healthy, or a run or step that comes to its end. */
export type StatusOwner = 'thing' | 'run'

/** The same words as of a thing, where a run or step means something else by them. */
const runTable: Readonly<Record<string, StatusLook>> = {
  running: look('running', 'half', 'info', true),
}

/** The look of a status in any spelling (`RUNNING`, `timed_out`, `TimedOut`); an unknown one shows pending. */
export function statusLook(status: string | null | undefined, owner: StatusOwner = 'thing'): StatusLook {
  if (!status) return pending
  const snake = status
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase()
  if (owner === 'run' && Object.hasOwn(runTable, snake)) return runTable[snake] ?? pending
  return Object.hasOwn(statusTable, snake) ? (statusTable[snake] ?? pending) : pending
}
