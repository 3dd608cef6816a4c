import { demoClusterAgeMs, type DemoScene } from '../../../platform/demo.ts'
import { changesOf } from './pasts.ts'

/** What colleagues did in the clusters of a demo, as the proxy would have recorded it. */
export function clusterActs(scene: DemoScene) {
  const { clusters, people, owner, now } = scene
  const created = new Date(now.getTime() - demoClusterAgeMs)
  return clusters.flatMap(({ id, title, mood, scalings }) => {
    const target = { type: 'cluster', id, name: title }
    return [
      { at: created, by: owner, action: 'cluster.create', class: 'create' as const, target },
      ...scalings.map(({ at, by, group, from, to }) => ({
        at,
        by: people[by],
        action: 'cluster.scale',
        class: 'update' as const,
        target,
        diff: { group, nodes: [from, to] },
      })),
      ...changesOf(mood, scene).map((change) => ({
        at: change.at,
        by: people[change.by],
        via: 'kubectl' as const,
        action: 'kubernetes.patch',
        class: 'update' as const,
        target,
        diff: {
          verb: 'patch',
          code: 200,
          resource: 'deployments',
          namespace: change.namespace,
          name: change.name,
        },
      })),
    ]
  })
}
