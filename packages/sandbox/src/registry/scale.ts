import { at, isObject, numberAt, textAt } from '../json.ts'
import { selectorText } from '../selectors.ts'
import type { KubeObject, LabelSelector } from '../types.ts'
import type { Kind } from './kind.ts'

export const scaleKind = {
  group: 'autoscaling',
  version: 'v1',
  resource: 'scales',
  kind: 'Scale',
  key: 'scales.autoscaling',
}

const replicas: NonNullable<Kind['scale']> = {
  spec: ['spec', 'replicas'],
  status: ['status', 'replicas'],
}

/** An object that can be scaled as its subresource `scale` shows it. */
export function scaleOf(kind: Kind, object: KubeObject): KubeObject {
  const paths = kind.scale ?? replicas
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const own = at(object, 'spec', 'selector')
  const custom = paths.selector ? textAt(object, ...paths.selector) : undefined
  // A ReplicationController selects by a plain map of labels.
  const isPlain = isObject(own) && !('matchLabels' in own) && !('matchExpressions' in own)
  const selector = isPlain ? { matchLabels: own } : own
  // Decoded by the kind's model, so this is a label selector.
  const text = custom ?? (isObject(own) ? selectorText(selector as LabelSelector) : '')
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace ? { namespace } : {}), uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, ...paths.spec) ?? 0 },
    status: { replicas: numberAt(object, ...paths.status) ?? 0, ...(text ? { selector: text } : {}) },
  }
}
