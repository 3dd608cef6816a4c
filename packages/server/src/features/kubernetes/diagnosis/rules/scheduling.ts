import type { Rule } from '../rule.ts'
import {
  depths,
  editRemedy,
  eventWith,
  isoTime,
  missingClassRemedies,
  openRemedy,
  ownerRef,
  podRef,
  proof,
  refOf,
  templateRemedy,
} from '../rule.ts'
import type { Situation } from '../situation.ts'
import { words } from './images.ts'

/** What the scheduler said about a pod that has no node; null for one that has, or is not looked at yet. */
function schedulerMessage({ pod, events }: Situation): { text: string; at: string | null } | null {
  if (!pod || pod.spec?.nodeName) return null
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  if (scheduled?.status === 'False' && scheduled.message)
    return { text: scheduled.message, at: isoTime(scheduled.lastTransitionTime) }
  const event = events.find(({ reason }) => reason === 'FailedScheduling')
  return event ? { text: event.message, at: event.lastSeenAt } : null
}

function schedulingRule(
  id: string,
  pattern: RegExp,
  cause: (found: RegExpExecArray, situation: Situation) => string,
  remedy: (found: RegExpExecArray) => string,
): Rule {
  return {
    id,
    isLasting: true,
    find(situation) {
      const message = schedulerMessage(situation)
      const found = message && pattern.exec(message.text)
      if (!message || !found) return null
      return {
        cause: cause(found, situation),
        depth: depths.dependency,
        evidence: [
          proof('status', 'No node takes the pod', {
            quote: message.text,
            object: podRef(situation),
            at: message.at,
          }),
          ...requests(situation),
        ],
        remedies: [templateRemedy(remedy(found), situation)],
      }
    },
  }
}

function requests(situation: Situation) {
  const wanted = (situation.pod?.spec?.containers ?? []).flatMap(({ name, resources }) => {
    const { cpu, memory } = resources?.requests ?? {}
    const parts = [cpu && `${cpu} CPU`, memory && `${memory} memory`].filter(Boolean)
    return parts.length > 0 ? [`${name}: ${parts.join(', ')}`] : []
  })
  if (wanted.length === 0) return []
  return [proof('status', `It requests ${wanted.join('; ')}`, { object: podRef(situation) })]
}

export const schedulingRules: Rule[] = [
  schedulingRule(
    'claim-unbound',
    /(unbound immediate PersistentVolumeClaims|persistentvolumeclaim "([^"]+)" not found)/i,
    (found) =>
      found[2]
        ? `The volume claim "${found[2]}" does not exist`
        : 'Its volume claim is not bound to a volume',
    () => 'Look at the claim, or correct its name',
  ),
  schedulingRule(
    'no-room',
    /Insufficient ([\w/-]+(?:\.[\w/-]+)*)/,
    (found) => `No node has enough ${found[1] === 'cpu' ? 'CPU' : found[1]} left for what the pod requests`,
    (found) => `Request less ${found[1] === 'cpu' ? 'CPU' : found[1]}, free some, or add a larger node`,
  ),
  schedulingRule(
    'too-many-pods',
    /Too many pods/,
    () => 'The nodes run as many pods as they may',
    () => 'Add a node, or remove pods',
  ),
  schedulingRule(
    'node-selector',
    /didn't match Pod's node (affinity|selector)/i,
    ({ input }, { pod }) => {
      const wanted = Object.entries(pod?.spec?.nodeSelector ?? {}).map(([key, value]) => `${key}=${value}`)
      return wanted.length > 0
        ? `No node has the labels that it asks for: ${wanted.join(', ')}`
        : `No node fits its node affinity (${/\d+\/\d+/.exec(input)?.[0] ?? 'none'} fit)`
    },
    () => 'Label a node accordingly, or change the selector',
  ),
  schedulingRule(
    'taint',
    /untolerated taint \{([^}]+)\}/i,
    (found) => `The nodes keep it away: it does not tolerate the taint ${found[1]?.replace(/: ?$/, '')}`,
    () => 'Add a toleration, or remove the taint or cordon from a node',
  ),
  {
    id: 'unschedulable',
    isLasting: true,
    find(situation) {
      const message = schedulerMessage(situation)
      if (!message) return null
      return {
        cause: 'The scheduler finds no node for the pod',
        depth: depths.object,
        evidence: [
          proof('status', 'No node takes the pod', {
            quote: message.text,
            object: podRef(situation),
            at: message.at,
          }),
        ],
        remedies: [templateRemedy('Change what the pod asks for', situation)],
      }
    },
  },
]

/** What lies behind a pod that waits for its claim. */
export const waitingClaimRules: Rule[] = [
  {
    id: 'pod-claim-class-missing',
    isLasting: true,
    find(situation) {
      const [first] = situation.claimsWithoutClass
      const { pod, subject } = situation
      if (!first || !pod || subject.kind === 'PersistentVolumeClaim') return null
      const namespace = pod.metadata?.namespace ?? subject.namespace
      return {
        cause: `Its volume claim "${first.claim}" waits for the storage class "${first.storageClass}", which does not exist`,
        depth: depths.behindDependency,
        evidence: [
          proof('reference', `It mounts the claim ${first.claim}, which is not bound to a volume`, {
            object: refOf('PersistentVolumeClaim', namespace, first.claim),
          }),
          proof('reference', `There is no storage class "${first.storageClass}"`),
        ],
        remedies: missingClassRemedies(first.storageClass, namespace, first.claim),
      }
    },
  },
]

/** Why a controller cannot create pods, or a node cannot mount their volumes. */
export const creationRules: Rule[] = [
  {
    id: 'quota',
    isLasting: true,
    find(situation) {
      const event = eventWith(situation, ['FailedCreate'], /exceeded quota/i)
      if (!event) return null
      const quota = /exceeded quota: ([^,]+)/i.exec(event.message)?.[1] ?? ''
      const object = quota ? refOf('ResourceQuota', situation.subject.namespace, quota) : null
      return {
        cause: `The quota ${quota} of the namespace ${situation.subject.namespace} is used up`,
        depth: depths.dependency,
        evidence: [
          proof('quota', 'Pods cannot be created', { quote: event.message, object, at: event.lastSeenAt }),
        ],
        remedies: object
          ? [editRemedy('Raise the quota', object), templateRemedy('Or request less', situation)]
          : [templateRemedy('Request less', situation)],
      }
    },
  },
  {
    id: 'webhook-refuses',
    isLasting: true,
    find(situation) {
      const event = eventWith(situation, ['FailedCreate'], /failed calling webhook/i)
      if (!event) return null
      const webhook = /failed calling webhook "([^"]+)"/i.exec(event.message)?.[1] ?? ''
      return {
        cause: `The webhook "${webhook}" does not answer and fails closed, so that no pod can be created`,
        depth: depths.dependency,
        evidence: [
          proof('event', 'Pods cannot be created', {
            quote: event.message,
            object: ownerRef(situation),
            at: event.lastSeenAt,
          }),
        ],
        remedies: [
          {
            text: `Bring what answers "${webhook}" back, or let its configuration fail open meanwhile`,
            action: null,
            command: 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
          },
        ],
      }
    },
  },
  {
    id: 'refused-pod',
    isLasting: true,
    find(situation) {
      const event = eventWith(situation, ['FailedCreate'])
      if (!event) return null
      const isPolicy = /PodSecurity|admission webhook|denied/i.test(event.message)
      return {
        cause: isPolicy
          ? 'A policy of the cluster refuses its pods'
          : 'The API server refuses the pods that the controller wants to create',
        depth: depths.dependency,
        evidence: [
          proof('event', 'Pods cannot be created', {
            quote: event.message,
            object: ownerRef(situation),
            at: event.lastSeenAt,
          }),
        ],
        remedies: [templateRemedy('Change the pod template to what is allowed', situation)],
      }
    },
  },
  {
    id: 'volume-mount',
    find(situation) {
      const event = eventWith(situation, ['FailedMount', 'FailedAttachVolume'])
      const isWaiting =
        situation.container?.status.state?.waiting !== undefined || situation.container === null
      if (!event || !isWaiting) return null
      return {
        cause: 'A volume of the pod cannot be mounted on its node',
        depth: depths.dependency,
        evidence: [
          proof('event', words(event.reason), {
            quote: event.message,
            object: podRef(situation),
            at: event.lastSeenAt,
          }),
        ],
        remedies: podRef(situation)
          ? [openRemedy('Look at its volumes', podRef(situation) ?? ownerRef(situation))]
          : [],
      }
    },
  },
]
