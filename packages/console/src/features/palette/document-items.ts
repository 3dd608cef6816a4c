import type { DocHit } from '../../lib/docs.ts'
import type { PaletteItems } from './item.ts'

/** A passage of the documentation as the palette lists it. */
export function documentItem(hit: DocHit): PaletteItems['document'] {
  const path = hit.id === '' ? `/docs/${hit.slug}` : `/docs/${hit.slug}#${hit.id}`
  return {
    id: `document:${path}`,
    type: 'document',
    title: hit.heading,
    description: hit.page === hit.heading ? '' : hit.page,
    category: 'Documentation',
    group: 'documentation',
    shortcuts: [],
    path,
    hit,
  }
}
