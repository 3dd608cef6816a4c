/** The event that `wait_event` steps of the graphs wait for. */
export const chaosEvent = 'CLUSTER_HEALTH_UPDATE'

type Step = { key: string; type: string; [field: string]: unknown }

/** Definitions as the API takes them. Their steps have effects in the ledger at `url`. */
export function chaosGraphs(url: string) {
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
  return { inner, wide, undone, chain }
}

function graph(name: string, steps: Step[]) {
  return { name, parallel: 4, steps: steps.map((step) => ({ name: step.key, ...step })) }
}
