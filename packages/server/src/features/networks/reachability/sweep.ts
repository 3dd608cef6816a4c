import { onRunning, type SweepCalls } from '../../../testing/sweep.ts'

const from = 'namespace:kube-system'

export const sweepCalls: SweepCalls = {
  'networks.reachability.check': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      query: `from=${from}&to=address:203.0.113.7&port=443`,
    }),
    besideRows: ['gates', 'notes'],
  },
  'networks.reachability.ends': { ...onRunning, besideRows: ['ends'] },
  'networks.reachability.matrix': { ...onRunning, besideRows: ['rows', 'columns', 'cells'] },
  'networks.reachability.reachable': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      query: 'of=address:203.0.113.7&direction=in&port=443',
    }),
    besideRows: ['reached'],
  },
  'networks.reachability.rules': {
    call: ({ runningClusterId }) => ({ params: { id: runningClusterId }, query: `of=${from}` }),
    besideRows: ['rules'],
  },
  'networks.reachability.findings': { ...onRunning, besideRows: ['findings'] },
  'networks.reachability.whatIf': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      body: { changes: [{ namespace: 'default', name: 'deny', spec: { podSelector: {} } }] },
    }),
    besideRows: ['ends', 'begins', 'problems'],
  },
}
