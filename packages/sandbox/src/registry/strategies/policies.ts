import { equal } from '../../json.ts'
import { field, type Cause } from '../../status-error.ts'
import {
  apiServices,
  autoscalers,
  budgets,
  clusterRoleBindings,
  clusterRoles,
  priorityClasses,
  roleBindings,
  roles,
  signingRequests,
  type CertificateSigningRequest,
  type ClusterRole,
  type RoleBinding,
} from '../../types.ts'
import { strategy } from '../strategy.ts'

function defaultBinding(binding: RoleBinding): void {
  binding.roleRef.apiGroup ||= 'rbac.authorization.k8s.io'
  for (const subject of binding.subjects ?? []) {
    if (subject.kind !== 'ServiceAccount') subject.apiGroup ||= 'rbac.authorization.k8s.io'
  }
}

function checkBinding(binding: RoleBinding): Cause[] {
  const causes: Cause[] = []
  const kinds = binding.kind === 'ClusterRoleBinding' ? ['ClusterRole'] : ['ClusterRole', 'Role']
  if (!kinds.includes(binding.roleRef.kind))
    causes.push(field.unsupported('roleRef.kind', binding.roleRef.kind, kinds))
  for (const [i, subject] of (binding.subjects ?? []).entries()) {
    const known = ['ServiceAccount', 'User', 'Group']
    if (!known.includes(subject.kind)) {
      causes.push(field.unsupported(`subjects[${i}].kind`, subject.kind, known))
    } else if (subject.kind === 'ServiceAccount' && !subject.namespace) {
      causes.push(field.required(`subjects[${i}].namespace`))
    }
  }
  return causes
}

function frozenRef(binding: RoleBinding, old: RoleBinding): Cause[] {
  if (equal(binding.roleRef, old.roleRef)) return []
  return [field.invalid('roleRef', binding.roleRef, 'cannot change roleRef')]
}

function checkRules(role: Pick<ClusterRole, 'rules'>): Cause[] {
  return (role.rules ?? []).flatMap((rule, i) => {
    const path = `rules[${i}]`
    if (rule.verbs.length === 0)
      return [field.required(`${path}.verbs`, 'verbs must contain at least one value')]
    if (rule.nonResourceURLs?.length) return []
    if (!rule.apiGroups?.length) {
      return [field.required(`${path}.apiGroups`, 'resource rules must supply at least one api group')]
    }
    if (rule.resources?.length) return []
    return [field.required(`${path}.resources`, 'resource rules must supply at least one resource')]
  })
}

function checkSigningRequest({ spec }: CertificateSigningRequest): Cause[] {
  const causes: Cause[] = []
  const pem = Buffer.from(spec.request, 'base64').toString('utf8')
  if (!/-----BEGIN (NEW )?CERTIFICATE REQUEST-----/.test(pem)) {
    causes.push(field.invalid('spec.request', spec.request, 'PEM block type must be CERTIFICATE REQUEST'))
  }
  if (!spec.usages?.length) causes.push(field.required('spec.usages'))
  if (!spec.signerName.includes('/')) {
    causes.push(
      field.invalid(
        'spec.signerName',
        spec.signerName,
        'must be a fully qualified domain and path of the form "example.com/signer-name"',
      ),
    )
  }
  if (spec.expirationSeconds !== undefined && spec.expirationSeconds < 600) {
    causes.push(
      field.invalid(
        'spec.expirationSeconds',
        spec.expirationSeconds,
        'may not specify a duration less than 600 seconds (10 minutes)',
      ),
    )
  }
  return causes
}

export const policyStrategies = [
  strategy(apiServices, { name: 'path' }),
  strategy(signingRequests, {
    prepareCreate(request, { user, groups }) {
      Object.assign(request.spec, { username: user, groups: [...groups] })
      request.status = {}
    },
    prepareUpdate(request, old) {
      request.spec = old.spec
    },
    validate: checkSigningRequest,
  }),
  strategy(autoscalers, {
    defaults({ spec }) {
      spec.minReplicas ??= 1
      spec.metrics ??= [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ]
    },
    validate({ spec }) {
      const causes: Cause[] = []
      if ((spec.minReplicas ?? 1) < 1) {
        causes.push(field.invalid('spec.minReplicas', spec.minReplicas, 'must be greater than or equal to 1'))
      }
      if (spec.maxReplicas < 1) {
        causes.push(field.invalid('spec.maxReplicas', spec.maxReplicas, 'must be greater than 0'))
      } else if (spec.maxReplicas < (spec.minReplicas ?? 1)) {
        const text = 'must be greater than or equal to `minReplicas`'
        causes.push(field.invalid('spec.maxReplicas', spec.maxReplicas, text))
      }
      return causes
    },
  }),
  strategy(budgets, {
    validate({ spec }) {
      if (spec.minAvailable === undefined || spec.maxUnavailable === undefined) return []
      return [field.invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set')]
    },
  }),
  strategy(roles, { name: 'path', validate: checkRules }),
  strategy(clusterRoles, { name: 'path', validate: checkRules }),
  strategy(roleBindings, {
    name: 'path',
    defaults: defaultBinding,
    validate: checkBinding,
    validateUpdate: frozenRef,
  }),
  strategy(clusterRoleBindings, {
    name: 'path',
    defaults: defaultBinding,
    validate: checkBinding,
    validateUpdate: frozenRef,
  }),
  strategy(priorityClasses, {
    defaults(priority) {
      priority.value ??= 0
      priority.preemptionPolicy ??= 'PreemptLowerPriority'
    },
    validate: ({ metadata, value = 0 }) =>
      value > 1_000_000_000 && !metadata.name.startsWith('system-')
        ? [field.forbidden('value', 'maximum allowed value of a user defined priority is 1000000000')]
        : [],
    validateUpdate: (priority, old) =>
      priority.value === old.value ? [] : [field.forbidden('value', 'may not be changed in an update.')],
  }),
]
