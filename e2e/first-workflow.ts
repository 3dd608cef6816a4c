import type { BeySession } from '../tools/api-session.ts'

/** Starts a run of a workflow that is the first by name. */
export async function runFirstWorkflow({ client }: BeySession): Promise<void> {
  const step = { key: 'sum', name: 'Sum', type: 'transform', config: { values: { one: 1 } } }
  const { workflow } = await client.call('workflows.create', {
    body: { name: 'A first one', state: 'active', steps: [step] },
  })
  await client.call('workflows.execute', { params: { id: workflow.id }, body: {} })
}
