import type { Node, Pod, PodSpec, Taint, Toleration } from '../types.ts'
import { allocatable, type Amounts, type NodeUsage } from './requests.ts'

type Term = NonNullable<
  NonNullable<
    NonNullable<
      NonNullable<PodSpec['affinity']>['nodeAffinity']
    >['requiredDuringSchedulingIgnoredDuringExecution']
  >['nodeSelectorTerms']
>[number]
type Requirement = NonNullable<Term['matchExpressions']>[number]

export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some((one) => {
    if (one.effect && one.effect !== taint.effect) return false
    if (!one.key) return one.operator === 'Exists'
    if (one.key !== taint.key) return false
    return one.operator === 'Exists' || (one.value ?? '') === (taint.value ?? '')
  })
}

function meets(value: string | undefined, { operator, values = [] }: Requirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return Number(value) > Number(values[0])
    case 'Lt':
      return Number(value) < Number(values[0])
    default:
      return false
  }
}

export function matchesTerm(node: Node, term: Term): boolean {
  const labels = node.metadata.labels ?? {}
  const expressions = term.matchExpressions ?? []
  const fields = term.matchFields ?? []
  if (expressions.length === 0 && fields.length === 0) return false
  return (
    expressions.every((one) => meets(labels[one.key], one)) &&
    fields.every((one) => one.key === 'metadata.name' && meets(node.metadata.name, one))
  )
}

/** Whether a pod wants to be on this node at all: its selector and required node affinity. */
export function matchesNode(spec: PodSpec, node: Node): boolean {
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
    if (node.metadata.labels?.[key] !== value) return false
  }
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return !terms || terms.some((term) => matchesTerm(node, term))
}

/** The first taint that keeps a pod from being placed here. */
export function repellingTaint(
  spec: PodSpec,
  node: Node,
  effects: readonly string[] = ['NoSchedule', 'NoExecute'],
): Taint | undefined {
  return node.spec.taints?.find(
    (taint) => effects.includes(taint.effect) && !tolerates(spec.tolerations, taint),
  )
}

/** Why a node cannot take a pod, in the scheduler's words; undefined when it can. */
export function misfit(pod: Pod, node: Node, requests: Amounts, usage: NodeUsage): string | undefined {
  const { spec } = pod
  const { name } = node.metadata
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }
  if (node.spec.unschedulable && !tolerates(spec.tolerations, cordon)) return 'node(s) were unschedulable'
  const taint = repellingTaint(spec, node)
  if (taint) {
    if (taint.key === cordon.key) return 'node(s) were unschedulable'
    return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`
  }
  if (!matchesNode(spec, node)) return "node(s) didn't match Pod's node affinity/selector"
  if (usage.podCount(name) + 1 > allocatable(node, 'pods')) return 'Too many pods'
  for (const [resource, value] of Object.entries(requests)) {
    if (value > 0 && usage.used(name, resource) + value > allocatable(node, resource) + 1e-9)
      return `Insufficient ${resource}`
  }
  return undefined
}
