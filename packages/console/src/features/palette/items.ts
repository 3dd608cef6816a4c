import type { PaletteEntity } from '@bey/contract'
import { onceFor } from '../../lib/once-for.ts'
import type { Command } from '../../lib/command.ts'
import { entityItem } from './entity-items.ts'
import type { PaletteItem } from './item.ts'
import { searchIndex } from './scorer.ts'
import { pagesOf, staticItems } from './static-items.ts'
import type { RouteLike } from './static-items.ts'

// Lists of thousands are made when something in them changes, not at every opening.

/** Everything there is to choose: what every organization has, then the things of this one. */
export const itemsOf = onceFor((routes: Readonly<Record<string, RouteLike>>) =>
  onceFor((commands: readonly Command[]) => {
    const statics = staticItems(pagesOf(Object.values(routes)), commands)
    return onceFor((entities: readonly PaletteEntity[]): readonly PaletteItem[] => [
      ...statics,
      ...entities.map(entityItem),
    ])
  }),
)

export const itemsById = onceFor(
  (items: readonly PaletteItem[]): ReadonlyMap<string, PaletteItem> =>
    new Map(items.map((item) => [item.id, item])),
)

export const indexOf = onceFor((items: readonly PaletteItem[]) => searchIndex(items))
