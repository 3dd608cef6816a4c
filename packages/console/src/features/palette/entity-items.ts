import type { PaletteEntity } from '@bey/contract'
import { entityHref, entityOf, paletteRule } from '@bey/contract'
import { onceFor } from '../../lib/once-for.ts'
import type { PaletteItem } from './item.ts'

/**
 * A thing of the organization as the palette shows it. Of thousands few change between two openings; the others are
 * not built again.
 */
export const entityItem = onceFor((entity: PaletteEntity): PaletteItem => {
  const { category, categoryIfReadOnly } = paletteRule(entity.type)
  const { paths } = entityOf(entity.type)
  return {
    id: `${entity.type}:${entity.id}`,
    type: 'entity',
    title: entity.title,
    description: entity.subtitle,
    category: entity.isReadOnly ? (categoryIfReadOnly ?? category) : category,
    group: entity.type,
    shortcuts: [],
    path: entityHref(entity) ?? paths.list,
    entity,
  }
})
