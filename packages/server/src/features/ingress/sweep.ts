import { asOwner, type SweepCalls } from '../../testing/sweep.ts'

const host = 'sweep.bey.example'

export const sweepCalls: SweepCalls = {
  'ingress.hosts': { call: () => ({}), besideRows: ['namespaces', 'clusters', 'unreadable', 'refused'] },
  'ingress.certificates': {
    call: () => ({}),
    besideRows: ['namespaces', 'clusters', 'unreadable', 'refused'],
  },
  'ingress.loadBalancers': {
    call: () => ({}),
    besideRows: ['namespaces', 'clusters', 'unreadable', 'refused'],
  },
  'ingress.gateways': { call: () => ({}), besideRows: ['namespaces', 'clusters', 'unreadable', 'refused'] },
  'ingress.test': {
    async call(world) {
      const { runningClusterId: id } = world
      const path = `/api/kubernetes/clusters/${id}/proxy/apis/networking.k8s.io/v1/namespaces/default/ingresses`
      // It is there already where another role was swept before.
      await asOwner(world, 'POST', path, {
        metadata: { name: 'sweep' },
        spec: { rules: [{ host }], defaultBackend: { service: { name: 'none', port: { number: 80 } } } },
      })
      return { params: { id }, body: { host, isTls: false, address: '127.0.0.1' } }
    },
  },
}
