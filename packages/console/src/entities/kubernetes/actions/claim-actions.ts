import type { RequestAction } from './action.ts'
import { access, mergePatch } from './action.ts'
import { quantityBytes } from './field-rules.ts'
import { kubectlLine, kubectlObject } from './kubectl-line.ts'

const patchOf = (size: string) => ({ spec: { resources: { requests: { storage: size.trim() } } } })

export const expand: RequestAction = {
  id: 'expand',
  form: 'fields',
  label: 'Expand',
  pending: 'Expanding',
  done: 'Expansion begun',
  isFor: (resource) => resource === 'persistentvolumeclaims',
  isPrimary: true,
  permission: 'kubernetes.write',
  access: access('patch'),
  refusal({ object }) {
    if (!object.spec?.storageClassName) return 'It has no storage class, and only a class can allow it.'
    return object.status?.phase === 'Bound' ? undefined : 'It is not bound to a volume yet.'
  },
  lookUp: ({ object }) => ({
    method: 'GET',
    path: `/apis/storage.k8s.io/v1/storageclasses/${encodeURIComponent(object.spec?.storageClassName ?? '')}`,
  }),
  foundRefusal: ({ target, found }) =>
    found && !found.allowVolumeExpansion
      ? `The storage class "${target.object.spec?.storageClassName}" does not allow volumes to grow (allowVolumeExpansion).`
      : undefined,
  notes: () => ['A volume can grow and never shrink.'],
  fields({ target }) {
    const current = target.object.spec?.resources?.requests?.['storage'] ?? ''
    return [
      {
        name: 'size',
        label: 'Size',
        type: 'text',
        initial: current,
        hint: `Now ${current}. Write a quantity such as 20Gi.`,
        problem(value) {
          const bytes = quantityBytes(value)
          if (bytes === undefined) return 'Write a quantity such as 20Gi or 500G.'
          return bytes > (quantityBytes(current) ?? 0) ? undefined : `Enter more than ${current}.`
        },
      },
    ]
  },
  requests: ({ target }, { size = '' }) => [mergePatch(target, patchOf(size))],
  kubectl: ({ target }, { size = '' }) =>
    kubectlLine(
      target,
      'patch',
      kubectlObject('persistentvolumeclaims', target.name),
      '-p',
      JSON.stringify(patchOf(size)),
    ),
}
