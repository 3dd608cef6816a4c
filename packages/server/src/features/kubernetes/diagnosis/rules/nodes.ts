import { depths, kubectlTarget, openRemedy, podRef, proof, refOf } from '../rule.ts'
import type { Rule } from '../rule.ts'
import type { AnyObject, Condition } from '../situation.ts'

const pressures: Readonly<Record<string, string>> = {
  MemoryPressure: 'memory',
  DiskPressure: 'disk space',
  PIDPressure: 'process ids',
}

function condition(node: AnyObject, type: string): Condition | undefined {
  return node.status?.conditions?.find((each) => each.type === type)
}

function nodeName(node: AnyObject): string {
  return node.metadata?.name ?? ''
}

export const nodeRules: Rule[] = [
  {
    id: 'node-not-ready',
    find({ node, subject, ...rest }) {
      const ready = node && condition(node, 'Ready')
      if (!node || !ready || ready.status === 'True') return null
      const name = nodeName(node)
      const isSilent = ready.status === 'Unknown'
      const object = refOf('Node', '', name)
      return {
        cause: isSilent
          ? `The node ${name} has stopped reporting: it is off, cut off, or its kubelet does not run`
          : `The node ${name} reports that it is not ready`,
        depth: depths.change,
        evidence: [
          ...(subject.kind === 'Node'
            ? []
            : [proof('node', `Its pod runs on ${name}`, { object: podRef({ node, subject, ...rest }) })]),
          proof('node', `The node is ${isSilent ? 'unknown' : 'not ready'}: ${ready.reason ?? ''}`, {
            quote: ready.message ?? null,
            object,
            at: ready.lastTransitionTime,
          }),
        ],
        remedies: [
          { ...openRemedy('Check the machine and its kubelet', object) },
          {
            text: 'Move its pods to other nodes',
            action: { id: 'open', object },
            command: `kubectl drain ${name} --ignore-daemonsets`,
          },
        ],
      }
    },
  },
  {
    id: 'node-pressure',
    find({ node, subject }) {
      if (!node) return null
      const pressed = Object.keys(pressures).find((type) => condition(node, type)?.status === 'True')
      if (!pressed) return null
      const found = condition(node, pressed)
      const name = nodeName(node)
      const object = refOf('Node', '', name)
      return {
        cause: `The node ${name} runs out of ${pressures[pressed]}`,
        depth: subject.kind === 'Node' ? depths.object : depths.dependency,
        evidence: [
          proof('node', `The node reports ${pressed}`, {
            quote: found?.message ?? null,
            object,
            at: found?.lastTransitionTime,
          }),
        ],
        remedies: [openRemedy(`Free ${pressures[pressed]} on the node, or move pods away`, object)],
      }
    },
  },
  {
    id: 'evicted',
    find({ pod, ...situation }) {
      if (pod?.status?.reason !== 'Evicted') return null
      const object = podRef({ pod, ...situation })
      return {
        cause: 'The node evicted the pod because it ran short of something',
        depth: depths.object,
        evidence: [proof('status', 'The pod was evicted', { quote: pod.status.message ?? null, object })],
        remedies: object
          ? [
              {
                text: 'Delete the evicted pod; what keeps it has started another',
                action: { id: 'open', object },
                command: `kubectl delete ${kubectlTarget(object)}`,
              },
            ]
          : [],
      }
    },
  },
  {
    id: 'cordoned',
    find({ subject, node }) {
      if (subject.kind !== 'Node' || !node || node.spec?.['unschedulable'] !== true) return null
      const object = refOf('Node', '', subject.name)
      return {
        cause: `The node ${subject.name} is cordoned: it takes no new pods`,
        depth: depths.surface,
        evidence: [proof('node', 'The node is marked unschedulable', { object })],
        remedies: [
          {
            text: 'Let it take pods again',
            action: { id: 'uncordon', object },
            command: `kubectl uncordon ${subject.name}`,
          },
        ],
      }
    },
  },
]
