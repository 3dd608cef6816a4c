import { AllObjectsList } from './all-objects-list.tsx'

const resources = [
  { value: 'services', label: 'Services', one: 'service', noun: 'services' },
  { value: 'ingresses.networking.k8s.io', label: 'Ingresses', one: 'ingress', noun: 'ingresses' },
  {
    value: 'networkpolicies.networking.k8s.io',
    label: 'Network policies',
    one: 'network policy',
    noun: 'network policies',
  },
  {
    value: 'endpointslices.discovery.k8s.io',
    label: 'Endpoint slices',
    one: 'endpoint slice',
    noun: 'endpoint slices',
  },
]

/** Services of all clusters of the organization, and what leads to them. */
export function ServiceListPage() {
  return (
    <AllObjectsList
      title="Services"
      resources={resources}
      emptyText="A service gives pods one address. Those of all running clusters are listed here."
    />
  )
}
