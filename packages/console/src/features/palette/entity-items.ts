import type { PaletteEntity, PaletteEntityType } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { onceFor } from '../../lib/once-for.ts'
import type { PaletteItem, PaletteItems } from './item.ts'

const builders: { [T in PaletteEntityType]: (entity: PaletteEntity) => PaletteItems[T] } = {
  cluster: (entity) => ({
    id: `cluster:${entity.id}`,
    type: 'cluster',
    title: entity.title,
    description: [
      entity.version,
      entity.nodeCount === null ? null : formatCount(entity.nodeCount, 'node'),
      entity.description,
    ]
      .filter(Boolean)
      .join(' · '),
    category: 'Kubernetes Cluster',
    group: 'clusters',
    shortcuts: [],
    path: `/kubernetes/clusters/${entity.id}`,
    entity,
  }),
  workflow: (entity) => ({
    id: `workflow:${entity.id}`,
    type: 'workflow',
    title: entity.title,
    description: entity.description,
    category: entity.isBuiltIn ? 'Built-in workflow' : 'Workflow',
    group: 'workflows',
    shortcuts: [],
    path: `/workflows/${entity.id}`,
    entity,
  }),
}

/**
 * A thing of the organization as the palette shows it. Of thousands few change between two openings; the others are
 * not built again.
 */
export const entityItem = onceFor((entity: PaletteEntity): PaletteItem => builders[entity.type](entity))
