import { formatCount } from '../../../lib/format.ts'
import { changeText, shortLabel } from './object-changes.ts'
import type { FieldChange } from './object-changes.ts'
import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** What applying changes does, as a person would say it. */
export interface Consequences {
  /** "Deployment web: replicas 2 → 4". */
  summary: string
  /** "Its 2 pods are replaced, one after the other." Empty where nothing follows. */
  effects: string[]
  /** For the button: "Apply, replace 2 pods". */
  action: string
}

const maxListed = 3

/** `after` is the object as the dry run answered it, so that what the server fills in is known. */
export function consequencesOf(live: Free, after: Free, changes: readonly FieldChange[]): Consequences {
  const kind = text(after['kind'])
  const metadata = isFree(after['metadata']) ? after['metadata'] : {}
  const listed = changes.slice(0, maxListed).map((each) => `${shortLabel(each.label)} ${changeText(each)}`)
  const rest = changes.length - listed.length
  const more = rest > 0 ? `, and ${formatCount(rest, 'more change')}` : ''
  const summary = `${kind} ${text(metadata['name'])}: ${listed.join(', ')}${more}`
  const effects: string[] = []
  let action = 'Apply'
  const [from, to] = [replicasOf(live), replicasOf(after)]
  if (from !== undefined && to !== undefined && from !== to) {
    effects.push(
      to > from
        ? `${formatCount(to - from, 'pod')} ${to - from === 1 ? 'is' : 'are'} added.`
        : `${formatCount(from - to, 'pod')} ${from - to === 1 ? 'is' : 'are'} removed.`,
    )
    action = `Apply, scale to ${to}`
  }
  if (changes.some(({ path }) => path[0] === 'spec' && path[1] === 'template') && kind in replacements) {
    const pods = podsOf(kind, live)
    const count = pods === undefined ? 'Its pods are' : pods === 1 ? 'Its pod is' : `Its ${pods} pods are`
    effects.push(replacementText(kind, after, count))
    if (!isPaused(after))
      action = pods === undefined ? 'Apply, replace pods' : `Apply, replace ${formatCount(pods, 'pod')}`
  }
  if (kind === 'ConfigMap' || kind === 'Secret') {
    effects.push(
      'Pods that read it as files see it within a minute; environment variables after a restart only.',
    )
  }
  return { summary, effects, action }
}

/** How pods of each kind follow their template. */
const replacements: Readonly<Record<string, string>> = {
  Deployment: 'replaced a few at a time',
  StatefulSet: 'replaced one after the other',
  DaemonSet: 'replaced node by node',
  CronJob: 'new from the next run on',
}

function replacementText(kind: string, after: Free, count: string): string {
  const spec = isFree(after['spec']) ? after['spec'] : {}
  const strategy = isFree(spec['strategy']) ? spec['strategy'] : spec['updateStrategy']
  const type = isFree(strategy) ? strategy['type'] : undefined
  if (isPaused(after)) return 'It is paused: its pods change when it is resumed.'
  if (type === 'Recreate') return `${count} stopped first, then started again: nothing serves meanwhile.`
  if (type === 'OnDelete') return 'Its pods change only when they are deleted.'
  return `${count} restarted: ${replacements[kind]}.`
}

function isPaused(object: Free): boolean {
  return isFree(object['spec']) && object['spec']['paused'] === true
}

function replicasOf(object: Free): number | undefined {
  const replicas = isFree(object['spec']) ? object['spec']['replicas'] : undefined
  return typeof replicas === 'number' ? replicas : undefined
}

function podsOf(kind: string, live: Free): number | undefined {
  const status = isFree(live['status']) ? live['status'] : {}
  const count =
    kind === 'DaemonSet' ? status['desiredNumberScheduled'] : (status['replicas'] ?? replicasOf(live))
  return typeof count === 'number' ? count : undefined
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
