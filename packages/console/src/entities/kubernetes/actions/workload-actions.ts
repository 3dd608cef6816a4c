import { kubernetesPath } from '@bey/contract'
import { formatCount } from '../../../lib/format.ts'
import type { ActionField, ActionInput, ActionTarget, RequestAction } from './action.ts'
import { access, mergePatch } from './action.ts'
import type { ActionObject, Container } from './action-object.ts'
import { imageProblem, replicasProblem } from './field-rules.ts'
import { kubectlLine, kubectlObject } from './kubectl-line.ts'

const scaled = new Set(['deployments.apps', 'statefulsets.apps', 'replicasets.apps'])
const rolledOut = new Set(['deployments.apps', 'statefulsets.apps', 'daemonsets.apps'])
/** Restarting more pods than this is asked about first. */
const maxPodsUnasked = 10

const autoscalers = { group: 'autoscaling', version: 'v2', plural: 'horizontalpodautoscalers' }

/** How many pods a workload should have. */
function podCount({ spec, status }: ActionObject): number {
  return status?.desiredNumberScheduled ?? spec?.replicas ?? 1
}

/** The Deployment or other controller that would undo a change of this object. */
function controllerOf({ object }: ActionTarget): string | undefined {
  const owner = object.metadata?.ownerReferences?.find((each) => each.controller)
  return owner && `${owner.kind} "${owner.name}"`
}

function autoscalerOf({ target, found }: ActionInput): ActionObject | undefined {
  return found?.items?.find(
    ({ spec }) =>
      spec?.scaleTargetRef?.kind === target.resource.kind && spec.scaleTargetRef.name === target.name,
  )
}

function autoscalerTarget(target: ActionTarget, autoscaler: ActionObject): ActionTarget {
  const resource = {
    ...autoscalers,
    resource: 'horizontalpodautoscalers.autoscaling',
    kind: 'HorizontalPodAutoscaler',
    verbs: [],
  }
  return { ...target, resource, name: autoscaler.metadata?.name ?? '', object: autoscaler }
}

export const scale: RequestAction = {
  id: 'scale',
  form: 'fields',
  label: 'Scale',
  pending: 'Scaling',
  done: 'Scaled',
  isFor: (resource) => scaled.has(resource),
  isPrimary: true,
  shortcut: 's',
  permission: 'kubernetes.write',
  access: access('patch', 'scale'),
  isBulk: true,
  refusal(target) {
    const controller = controllerOf(target)
    return controller && `The ${controller} sets how many pods it has. Scale that instead.`
  },
  lookUp: ({ namespace }) => ({ method: 'GET', path: kubernetesPath(autoscalers, namespace) }),
  fields(input) {
    const autoscaler = autoscalerOf(input)
    const { minReplicas = 1, maxReplicas = 1 } = autoscaler?.spec ?? {}
    const field: ActionField = autoscaler
      ? {
          name: 'minimum',
          label: 'Minimum pods',
          type: 'number',
          initial: String(minReplicas),
          hint: `At most ${maxReplicas}, the autoscaler's maximum.`,
          problem: (value) => replicasProblem(value, 1, maxReplicas),
        }
      : {
          name: 'replicas',
          label: 'Pods',
          type: 'number',
          initial: String(podCount(input.target.object)),
          problem: (value) => replicasProblem(value, 0, 10_000),
        }
    return [field]
  },
  bulkFields: [
    {
      name: 'replicas',
      label: 'Pods of each',
      type: 'number',
      initial: '1',
      problem: (value) => replicasProblem(value, 0, 10_000),
    },
  ],
  notes(input) {
    const autoscaler = autoscalerOf(input)
    if (!autoscaler) return []
    const { minReplicas = 1, maxReplicas = 1 } = autoscaler.spec ?? {}
    return [
      `The autoscaler "${autoscaler.metadata?.name}" keeps between ${minReplicas} and ${maxReplicas} pods and would undo another number. Its minimum can be set instead.`,
    ]
  },
  requests(input, { replicas, minimum }) {
    const autoscaler = autoscalerOf(input)
    if (autoscaler)
      return [
        mergePatch(autoscalerTarget(input.target, autoscaler), { spec: { minReplicas: Number(minimum) } }),
      ]
    return [mergePatch(input.target, { spec: { replicas: Number(replicas) } }, 'scale')]
  },
  kubectl(input, { replicas = '', minimum = '' }) {
    const { target } = input
    const autoscaler = autoscalerOf(input)
    if (autoscaler) {
      const patch = JSON.stringify({ spec: { minReplicas: Number(minimum) } })
      return kubectlLine(target, 'patch', `hpa/${autoscaler.metadata?.name}`, '-p', patch)
    }
    return kubectlLine(
      target,
      'scale',
      kubectlObject(target.resource.resource, target.name),
      `--replicas=${replicas}`,
    )
  },
}

export const restart: RequestAction = {
  id: 'restart',
  form: 'fields',
  label: 'Restart',
  pending: 'Restarting',
  done: 'Restart begun',
  isFor: (resource) => rolledOut.has(resource),
  isPrimary: true,
  permission: 'kubernetes.write',
  access: access('patch'),
  isBulk: true,
  refusal: ({ object }) =>
    object.spec?.paused
      ? 'Its rollout is paused, so nothing would be restarted. Resume it first.'
      : undefined,
  notes({ target }) {
    const count = podCount(target.object)
    if (count <= maxPodsUnasked) return []
    return [`This replaces ${formatCount(count, 'pod')}, a few at a time as its strategy says.`]
  },
  // As `kubectl rollout restart` does: a changed annotation of the template is a new revision.
  requests: ({ target, now }) => [
    mergePatch(target, {
      spec: {
        template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': now.toISOString() } } },
      },
    }),
  ],
  kubectl: ({ target }) => rollout(target, 'restart'),
}

function pauseAction(isPause: boolean): RequestAction {
  return {
    id: isPause ? 'pause' : 'resume',
    form: 'fields',
    label: isPause ? 'Pause rollout' : 'Resume rollout',
    pending: isPause ? 'Pausing' : 'Resuming',
    done: isPause ? 'Rollout paused' : 'Rollout resumed',
    isFor: (resource) => resource === 'deployments.apps',
    isToggle: true,
    permission: 'kubernetes.write',
    access: access('patch'),
    isBulk: true,
    refusal({ object }) {
      if (Boolean(object.spec?.paused) !== isPause) return undefined
      return isPause ? 'Its rollout is already paused.' : 'Its rollout is not paused.'
    },
    requests: ({ target }) => [mergePatch(target, { spec: { paused: isPause || null } })],
    kubectl: ({ target }) => rollout(target, isPause ? 'pause' : 'resume'),
  }
}

export const pause = pauseAction(true)
export const resume = pauseAction(false)

export const setImage: RequestAction = {
  id: 'set-image',
  form: 'fields',
  label: 'Set image',
  pending: 'Setting the image',
  done: 'Image set',
  isFor: (resource) => rolledOut.has(resource),
  permission: 'kubernetes.write',
  access: access('patch'),
  fields: ({ target }) =>
    containersOf(target).map(({ name = '', image = '' }) => ({
      name: `image-${name}`,
      label: `Image of ${name}`,
      type: 'text',
      initial: image,
      problem: imageProblem,
    })),
  // Containers are merged by their names only in a strategic merge patch.
  requests: ({ target }, values) => [
    {
      ...mergePatch(target, {
        spec: { template: { spec: { containers: changedImages(target, values) } } },
      }),
      contentType: 'application/strategic-merge-patch+json',
    },
  ],
  kubectl({ target }, values) {
    const images = changedImages(target, values).map(({ name, image }) => `${name}=${image}`)
    return kubectlLine(
      target,
      'set',
      'image',
      kubectlObject(target.resource.resource, target.name),
      ...images,
    )
  },
}

function containersOf({ object }: ActionTarget): readonly Container[] {
  return object.spec?.template?.spec?.containers ?? []
}

/** Those whose image was changed; all of them where none was, so that the line stays whole. */
function changedImages(target: ActionTarget, values: Readonly<Record<string, string>>) {
  const wanted = containersOf(target).map(({ name = '', image = '' }) => ({
    name,
    image: values[`image-${name}`]?.trim() || image,
    before: image,
  }))
  const changed = wanted.filter(({ image, before }) => image !== before)
  return (changed.length > 0 ? changed : wanted).map(({ name, image }) => ({ name, image }))
}

function rollout(target: ActionTarget, verb: string): string {
  return kubectlLine(target, 'rollout', verb, kubectlObject(target.resource.resource, target.name))
}
