import { entityTypes, objectOfResourceId } from '@bey/contract'

/** Where the audit log names a resource: by its own type, or as an object of its cluster. */
export function activitySubject(id: string): { targetType: string; targetId: string; object?: string } {
  const object = objectOfResourceId(id)
  if (object) {
    const { kind, clusterId, namespace, name } = object
    return {
      targetType: 'cluster',
      targetId: String(clusterId),
      object: `${pluralOf(kind)}/${namespace}/${name}`,
    }
  }
  const kind = id.slice(0, id.indexOf(':'))
  return {
    targetType: entityTypes.find((type) => type.toLowerCase() === kind.replaceAll('-', '')) ?? kind,
    targetId: id.slice(id.indexOf(':') + 1),
  }
}

/** Kinds that the API of Kubernetes names otherwise; a certificate changes with the Secret that keeps it. */
const otherNames: Readonly<Record<string, string>> = {
  certificate: 'secrets',
  'k8s-secret': 'secrets',
  volumeclaim: 'persistentvolumeclaims',
}

/** The name of a kind's resource in the API of Kubernetes: `deployments`, `ingresses`, `networkpolicies`. */
function pluralOf(kind: string): string {
  const other = otherNames[kind]
  if (other !== undefined) return other
  if (kind.endsWith('s')) return `${kind}es`
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`
}
