import { chaosNames, graph, type Step } from './graph.ts'
import { workloadGraph } from './workload-graph.ts'

/** The event that `wait_event` steps of the graphs wait for. */
export const chaosEvent = 'CLUSTER_HEALTH_UPDATE'

/** Definitions as the API takes them. Their steps have effects in the ledger at `url`; one asks TLS at `tlsPort`. */
export function chaosGraphs(url: string, tlsPort: number) {
  const http = (key: string, method: string, more: object = {}, query = ''): Step => ({
    key,
    type: 'http',
    config: { method, url: `${url}/{{ run.id }}/${key}${query}`, ...more },
  })
  const inner = graph('inner', [
    http('inside', 'PUT'),
    { key: 'tell', type: 'notify', config: { title: 'Inside {{ run.id }}' } },
    { key: 'shape', type: 'transform', config: { values: { done: true } } },
  ])
  const wide = graph('wide', [
    http('keyed', 'POST', { idempotency_key: true }),
    { ...http('once', 'POST', {}, '?slow'), needs: ['keyed'] },
    { key: 'compute', type: 'script', needs: ['keyed'], config: { code: 'return 6 * 7' } },
    { ...http('flaky', 'PUT', {}, '?flaky'), needs: ['keyed'], retry: { limit: 3, initial_ms: 20 } },
    { key: 'pause', type: 'wait', needs: ['once', 'compute', 'flaky'], config: { duration_ms: 50 } },
    { ...http('each', 'PUT'), foreach: { items: '[1, 2, 3]', max_parallel: 2 } },
    { key: 'sub', type: 'subworkflow', config: { workflow: 'inner' } },
    { ...http('turn', 'PUT', {}, '?slow'), concurrency: { key: 'turn', max: 1, on_limit: 'queue' } },
    { ...http('never', 'PUT'), when: 'false', needs: ['turn'] },
    { key: 'event', type: 'wait_event', needs: ['turn'], config: { event: chaosEvent } },
    {
      key: 'ask',
      type: 'approval',
      needs: ['turn'],
      config: { question: 'Go on?', approvers: { role: 'OWNER', allow_requester: true } },
    },
    { ...http('last', 'PUT'), needs: ['event', 'ask', 'never'] },
  ])
  const undone = graph('undone', [
    {
      ...http('made', 'PUT'),
      compensate: { type: 'http', config: { method: 'PUT', url: `${url}/{{ run.id }}/undo` } },
    },
    { key: 'end', type: 'stop', config: { status: 'failed', message: 'As it should' } },
  ])
  const chain = graph('chain', [
    http('one', 'PUT'),
    { key: 'two', type: 'transform', config: { values: { n: 1 } } },
    http('three', 'POST', {}, '?slow'),
    { key: 'tell', type: 'notify', config: { title: 'Chain {{ run.id }}' } },
  ])
  const { cluster } = chaosNames
  const connection = `{{ secrets.${chaosNames.databaseUrl} }}`
  const configMap = { api_version: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'chaos-{{ run.id }}' }
  const manifest = [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata: { name: "chaos-{{ run.id }}", namespace: default }',
    'data: { run: "{{ run.id }}" }',
  ].join('\n')
  const outside = graph('outside', [
    { key: 'apply', type: 'kubernetes.apply', config: { cluster, manifest } },
    {
      key: 'ready',
      type: 'kubernetes.wait',
      config: { cluster, ...configMap, until: 'expression', expression: 'has(object.data)' },
    },
    {
      key: 'job',
      type: 'kubernetes.job',
      config: {
        cluster,
        image: 'busybox',
        command: ['true'],
        env: { RUN: '{{ run.id }}' },
        keep_ms: 86_400_000,
      },
    },
    { key: 'delete', type: 'kubernetes.delete', config: { cluster, ...configMap } },
    {
      key: 'write',
      type: 'sql',
      needs: ['apply'],
      config: {
        connection,
        read_only: false,
        query: `insert into effects (run_id, key) values ($1, 'write')`,
        parameters: ['{{ run.id }}'],
      },
    },
    {
      key: 'read',
      type: 'sql',
      config: {
        connection,
        query: 'select count(*)::int as n from effects where run_id = $1',
        parameters: ['{{ run.id }}'],
      },
    },
    {
      key: 'check',
      type: 'certificate.check',
      needs: ['apply'],
      config: { host: '127.0.0.1', port: tlsPort },
    },
    {
      key: 'rotate',
      type: 'secret.rotate',
      config: { secret: chaosNames.rotated, overlap_hours: 0 },
      concurrency: { key: 'rotate', max: 1, on_limit: 'queue' },
      retry: { limit: 3, initial_ms: 50 },
    },
    { ...http('end', 'PUT'), needs: ['delete', 'read', 'rotate'] },
  ])
  const machine = graph('machine', [
    { key: 'create', type: 'cluster.provision', config: { title: 'chaos-{{ run.id }}' } },
    { key: 'gone', type: 'cluster.delete', config: { cluster: '{{ steps.create.output.cluster }}' } },
  ])
  return { inner, wide, undone, chain, outside, machine, workload: workloadGraph() }
}
