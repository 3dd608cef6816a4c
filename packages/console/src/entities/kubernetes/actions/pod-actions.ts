import { objectPath } from '@bey/contract'
import type { ActionTarget, RequestAction } from './action.ts'
import { access, mergePatch, targetPath } from './action.ts'
import { imageProblem, nameProblem } from './field-rules.ts'
import { kubectlLine, kubectlObject, kubectlWithInput } from './kubectl-line.ts'
import { freeName } from './free-name.ts'

const isPod = (resource: string) => resource === 'pods'

const eviction = ({ name, namespace }: ActionTarget) => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name, namespace },
})

export const evict: RequestAction = {
  id: 'evict',
  form: 'fields',
  label: 'Evict',
  pending: 'Evicting',
  done: 'Evicted',
  isFor: isPod,
  isPrimary: true,
  permission: 'kubernetes.delete',
  access: access('create', 'eviction'),
  isBulk: true,
  refusal: ({ object }) => (object.metadata?.deletionTimestamp ? 'It is already being deleted.' : undefined),
  notes({ target: { object } }) {
    const owner = object.metadata?.ownerReferences?.find((each) => each.controller)
    return owner
      ? [`The ${owner.kind} "${owner.name}" starts another pod. Its disruption budget is respected.`]
      : ['Nothing starts this pod again: it is gone once it is evicted.']
  },
  requests: ({ target }) => [
    { method: 'POST', path: targetPath(target, 'eviction'), body: eviction(target) },
  ],
  // kubectl has no command of its own for one eviction.
  kubectl: ({ target }) =>
    kubectlWithInput(
      kubectlLine({ ...target, namespace: '' }, 'create', '--raw', targetPath(target, 'eviction'), '-f', '-'),
      eviction(target),
    ),
}

const defaultDebugImage = 'busybox:1.37'

export const debug: RequestAction = {
  id: 'debug',
  form: 'fields',
  label: 'Debug',
  pending: 'Adding a debug container',
  done: 'Debug container added',
  isFor: isPod,
  permission: 'kubernetes.exec',
  access: access('patch', 'ephemeralcontainers'),
  refusal: ({ object }) =>
    object.status?.phase === 'Running' ? undefined : 'Only a running pod takes a debug container.',
  notes: () => ['The container stays in the pod until the pod is deleted.'],
  fields({ target, now }) {
    const containers = target.object.spec?.containers ?? []
    return [
      {
        name: 'image',
        label: 'Image',
        type: 'text',
        initial: defaultDebugImage,
        hint: 'With the tools you need; the pod’s own images stay as they are.',
        problem: imageProblem,
      },
      {
        name: 'container',
        label: 'Target container',
        type: 'choice',
        initial: containers[0]?.name ?? '',
        options: containers.map(({ name = '' }) => ({ value: name, label: name })),
        hint: 'Its processes can be seen from the debug container.',
      },
      {
        name: 'name',
        label: 'Name of the debug container',
        type: 'text',
        initial: freeName('debugger', now),
        problem: (value) => nameProblem(value),
      },
    ]
  },
  requests: ({ target }, { image = '', container = '', name = '' }) => [
    {
      ...mergePatch(
        target,
        {
          spec: {
            ephemeralContainers: [
              { name, image: image.trim(), targetContainerName: container, stdin: true, tty: true },
            ],
          },
        },
        'ephemeralcontainers',
      ),
      contentType: 'application/strategic-merge-patch+json',
    },
  ],
  kubectl: ({ target }, { image = '', container = '', name = '' }) =>
    kubectlLine(
      target,
      'debug',
      '-it',
      kubectlObject('pods', target.name),
      `--image=${image.trim()}`,
      `--target=${container}`,
      `--container=${name}`,
    ),
  next: ({ target }, { name = '' }) =>
    `${objectPath({ ...target, resource: 'pods' }, 'terminal')}&container=${encodeURIComponent(name)}`,
}
