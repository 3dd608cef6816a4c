import { objectPath } from '@bey/contract'
import { Link } from '../../ui/link.tsx'

const resources: Readonly<Record<string, string>> = {
  NetworkPolicy: 'networkpolicies.networking.k8s.io',
  AdminNetworkPolicy: 'adminnetworkpolicies.policy.networking.k8s.io',
  BaselineAdminNetworkPolicy: 'baselineadminnetworkpolicies.policy.networking.k8s.io',
  CiliumNetworkPolicy: 'ciliumnetworkpolicies.cilium.io',
  CiliumClusterwideNetworkPolicy: 'ciliumclusterwidenetworkpolicies.cilium.io',
}

/** The policy that decides a gate, or comes with a finding, on its own page. */
export function PolicyLink({
  clusterId,
  policy: { kind, namespace, name },
}: {
  clusterId: number
  policy: { kind: string; namespace: string | null; name: string }
}) {
  const text = namespace === null ? name : `${namespace}/${name}`
  const resource = resources[kind]
  if (resource === undefined) return text
  return (
    <Link
      href={objectPath({ clusterId, resource, namespace: namespace ?? '', name })}
      className="hover:underline"
    >
      {text}
    </Link>
  )
}
