import { equal } from '../../json.ts'
import { labelSelector } from '../../selectors.ts'
import { field, type Cause } from '../../status-error.ts'
import {
  daemonSets,
  deployments,
  replicaSets,
  replicationControllers,
  statefulSets,
  type LabelSelector,
  type PodTemplate,
} from '../../types.ts'
import { checkLabels } from '../names.ts'
import { strategy } from '../strategy.ts'
import { defaultPodSpec } from './pod-defaults.ts'
import { checkPodSpec } from './pod-validation.ts'

export function defaultTemplate(template: PodTemplate): void {
  template.metadata ??= {}
  if (template.spec) defaultPodSpec(template.spec)
}

function count(value: number | undefined, path: string): Cause[] {
  return value !== undefined && value < 0
    ? [field.invalid(path, value, 'must be greater than or equal to 0')]
    : []
}

/** A share or a number, as maxSurge and maxUnavailable are. */
function checkShare(value: number | string | undefined, path: string): Cause[] {
  if (value === undefined) return []
  if (typeof value === 'number') return count(value, path)
  if (/^\d+%$/.test(value)) return []
  return [
    field.invalid(
      path,
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ),
  ]
}

export function checkTemplate(template: PodTemplate, path: string, policies = ['Always']): Cause[] {
  const causes = checkLabels(template.metadata?.labels, `${path}.metadata.labels`)
  if (!template.spec) return [...causes, field.required(`${path}.spec.containers`)]
  causes.push(...checkPodSpec(template.spec, `${path}.spec`))
  const policy = template.spec.restartPolicy
  if (policy && !policies.includes(policy)) {
    causes.push(field.unsupported(`${path}.spec.restartPolicy`, policy, policies))
  }
  return causes
}

/** The rules about selector and template that all workloads share. */
function checkSelector(selector: LabelSelector | undefined, template: PodTemplate): Cause[] {
  const isEmpty = !Object.keys(selector?.matchLabels ?? {}).length && !selector?.matchExpressions?.length
  if (selector && isEmpty)
    return [field.invalid('spec.selector', selector, 'empty selector is invalid for deployment')]
  // Without a selector nothing is selected, so no labels match it.
  if (selector && labelSelector(selector)(template.metadata?.labels)) return []
  const value = template.metadata?.labels ?? {}
  return [
    field.invalid('spec.template.metadata.labels', value, '`selector` does not match template `labels`'),
  ]
}

function frozenSelector(selector: LabelSelector, old: LabelSelector): Cause[] {
  return equal(selector, old) ? [] : [field.invalid('spec.selector', selector, 'field is immutable')]
}

export const workloadStrategies = [
  strategy(deployments, {
    defaults({ spec }) {
      spec.replicas ??= 1
      spec.revisionHistoryLimit ??= 10
      spec.progressDeadlineSeconds ??= 600
      spec.strategy ??= {}
      spec.strategy.type ??= 'RollingUpdate'
      if (spec.strategy.type === 'RollingUpdate') {
        spec.strategy.rollingUpdate ??= {}
        spec.strategy.rollingUpdate.maxSurge ??= '25%'
        spec.strategy.rollingUpdate.maxUnavailable ??= '25%'
      }
      defaultTemplate(spec.template)
    },
    validate({ spec }) {
      const rolling = spec.strategy?.rollingUpdate
      const path = 'spec.strategy.rollingUpdate'
      const causes = [
        ...count(spec.replicas, 'spec.replicas'),
        ...count(spec.minReadySeconds, 'spec.minReadySeconds'),
        ...checkShare(rolling?.maxSurge, `${path}.maxSurge`),
        ...checkShare(rolling?.maxUnavailable, `${path}.maxUnavailable`),
        ...checkSelector(spec.selector, spec.template),
        ...checkTemplate(spec.template, 'spec.template'),
      ]
      const type = spec.strategy?.type ?? ''
      if (!['RollingUpdate', 'Recreate'].includes(type)) {
        causes.push(field.unsupported('spec.strategy.type', type, ['Recreate', 'RollingUpdate']))
      }
      if (type === 'Recreate' && rolling) {
        causes.push(field.forbidden(path, "may not be specified when strategy `type` is 'Recreate'"))
      }
      const isZero = (share: number | string | undefined) => share === 0 || share === '0%'
      if (rolling && isZero(rolling.maxSurge) && isZero(rolling.maxUnavailable)) {
        causes.push(
          field.invalid(
            `${path}.maxUnavailable`,
            rolling.maxUnavailable,
            'may not be 0 when `maxSurge` is 0',
          ),
        )
      }
      return causes
    },
    validateUpdate: (object, old) => frozenSelector(object.spec.selector, old.spec.selector),
  }),
  strategy(replicaSets, {
    defaults({ spec }) {
      spec.replicas ??= 1
      if (spec.template) defaultTemplate(spec.template)
    },
    validate: ({ spec }) => [
      ...count(spec.replicas, 'spec.replicas'),
      ...(spec.template ? checkSelector(spec.selector, spec.template) : []),
      ...(spec.template ? checkTemplate(spec.template, 'spec.template') : [field.required('spec.template')]),
    ],
    validateUpdate: (object, old) => frozenSelector(object.spec.selector, old.spec.selector),
  }),
  strategy(replicationControllers, {
    defaults({ metadata, spec }) {
      spec.replicas ??= 1
      if (!spec.template) return
      defaultTemplate(spec.template)
      const labels = spec.template.metadata?.labels
      if (!Object.keys(spec.selector ?? {}).length && labels) spec.selector = { ...labels }
      if (!metadata.labels && labels) metadata.labels = { ...labels }
    },
    validate: ({ spec }) => [
      ...count(spec.replicas, 'spec.replicas'),
      ...(spec.template
        ? [
            ...checkSelector({ matchLabels: spec.selector ?? {} }, spec.template),
            ...checkTemplate(spec.template, 'spec.template'),
          ]
        : [field.required('spec.template')]),
    ],
  }),
  strategy(statefulSets, {
    defaults({ spec }) {
      spec.replicas ??= 1
      spec.revisionHistoryLimit ??= 10
      spec.podManagementPolicy ??= 'OrderedReady'
      spec.updateStrategy ??= {}
      spec.updateStrategy.type ??= 'RollingUpdate'
      if (spec.updateStrategy.type === 'RollingUpdate') {
        spec.updateStrategy.rollingUpdate ??= {}
        spec.updateStrategy.rollingUpdate.partition ??= 0
      }
      spec.persistentVolumeClaimRetentionPolicy ??= { whenDeleted: 'Retain', whenScaled: 'Retain' }
      for (const claim of spec.volumeClaimTemplates ?? []) {
        claim.apiVersion ??= 'v1'
        claim.kind ??= 'PersistentVolumeClaim'
        if (claim.spec) claim.spec.volumeMode ??= 'Filesystem'
        claim.status ??= { phase: 'Pending' }
      }
      defaultTemplate(spec.template)
    },
    validate({ spec }) {
      const names = new Set((spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? ''))
      // A mount may name a claim template, which becomes a volume of the same name.
      const template = {
        ...spec.template,
        ...(spec.template.spec ? { spec: { ...spec.template.spec } } : {}),
      }
      if (template.spec) {
        const known = new Set((template.spec.volumes ?? []).map((volume) => volume.name))
        const extra = [...names].filter((name) => !known.has(name)).map((name) => ({ name, emptyDir: {} }))
        template.spec.volumes = [...(template.spec.volumes ?? []), ...extra]
      }
      const order = spec.podManagementPolicy ?? ''
      return [
        ...(['', 'OrderedReady', 'Parallel'].includes(order)
          ? []
          : [field.invalid('spec.podManagementPolicy', order, "must be 'OrderedReady' or 'Parallel'")]),
        ...count(spec.replicas, 'spec.replicas'),
        ...checkSelector(spec.selector, spec.template),
        ...checkTemplate(template, 'spec.template'),
      ]
    },
    validateUpdate({ spec }, { spec: old }) {
      const rest = (one: typeof spec) => ({
        ...one,
        replicas: 0,
        ordinals: undefined,
        template: undefined,
        updateStrategy: undefined,
        revisionHistoryLimit: 0,
        persistentVolumeClaimRetentionPolicy: undefined,
        minReadySeconds: 0,
      })
      if (equal(rest(spec), rest(old))) return []
      return [
        field.forbidden(
          'spec',
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ]
    },
  }),
  strategy(daemonSets, {
    defaults({ spec }) {
      spec.revisionHistoryLimit ??= 10
      spec.updateStrategy ??= {}
      spec.updateStrategy.type ??= 'RollingUpdate'
      if (spec.updateStrategy.type === 'RollingUpdate') {
        spec.updateStrategy.rollingUpdate ??= {}
        spec.updateStrategy.rollingUpdate.maxSurge ??= 0
        spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1
      }
      defaultTemplate(spec.template)
    },
    validate: ({ spec }) => [
      ...checkSelector(spec.selector, spec.template),
      ...checkTemplate(spec.template, 'spec.template'),
    ],
    validateUpdate: (object, old) => frozenSelector(object.spec.selector, old.spec.selector),
  }),
]
