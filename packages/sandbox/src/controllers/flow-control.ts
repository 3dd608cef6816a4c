import type { Cluster } from '../api/context.ts'
import { stamp } from '../clock.ts'
import { defaultFlowSchemas, defaultPriorityLevels } from '../flow-control-defaults.ts'
import { flowSchemas, priorityLevels, type FlowSchema, type KindKey } from '../types.ts'
import { runController, type Controller } from './controller.ts'

const producer = 'api-priority-and-fairness-config-producer-v1'
const consumer = 'api-priority-and-fairness-config-consumer-v1'

/**
 * Keeps the objects of API Priority and Fairness that an API server makes for itself, and says of each flow schema
 * whether its level exists. Nothing is queued by them: a sandbox has no more clients than it can serve.
 */
export function runFlowControl(cluster: Cluster): Controller[] {
  const { store, resources, registry, clock } = cluster

  function ensure<T>(kind: KindKey<T>, made: typeof defaultFlowSchemas): void {
    for (const { name, spec } of made) {
      if (store.get(kind, undefined, name)) continue
      const metadata = { name, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } }
      resources.create(registry.stored(kind.key), undefined, { metadata, spec }, { manager: producer })
    }
  }

  function sayWhetherDangling(schema: FlowSchema): void {
    const { name } = schema.spec.priorityLevelConfiguration
    const isThere = store.get(priorityLevels, undefined, name) !== undefined
    const about = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(name)}`
    const condition = {
      type: 'Dangling',
      status: isThere ? 'False' : 'True',
      reason: isThere ? 'Found' : 'NotFound',
      message: `${about} ${isThere ? 'and it exists' : 'but there is no such object'}`,
    }
    const tell = (draft: FlowSchema) => {
      const old = draft.status?.conditions?.find((one) => one.type === condition.type)
      const isSame = old?.status === condition.status
      const lastTransitionTime = (isSame ? old.lastTransitionTime : undefined) ?? stamp(clock.now())
      draft.status = { conditions: [{ ...condition, lastTransitionTime }] }
    }
    resources.changeStatus(flowSchemas, schema, tell, { manager: consumer })
  }

  ensure(priorityLevels, defaultPriorityLevels)
  ensure(flowSchemas, defaultFlowSchemas)
  return [
    runController(cluster, {
      kind: flowSchemas,
      watches: [
        {
          kind: priorityLevels,
          keys: ({ type }) =>
            type === 'MODIFIED' ? [] : store.list(flowSchemas).map((one) => `/${one.metadata.name}`),
        },
      ],
      sync: sayWhetherDangling,
      gone: () => ensure(flowSchemas, defaultFlowSchemas),
    }),
    runController(cluster, {
      kind: priorityLevels,
      sync: () => undefined,
      gone: () => ensure(priorityLevels, defaultPriorityLevels),
    }),
  ]
}
