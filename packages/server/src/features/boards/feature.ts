import type { Feature, Parts } from '../../feature.ts'
import { boardsDemo } from './demo.ts'
import { privateBoards } from './belongings.ts'
import { paletteBoards } from './palette.ts'
import { type QueryMetrics, readingHandlers } from './reading.ts'
import { boardHandlers } from './service.ts'

export function boardsFeature({ database, clock }: Parts, query: QueryMetrics) {
  return {
    handlers: { ...boardHandlers(database), ...readingHandlers({ database, clock, query }) },
    palette: { board: paletteBoards },
    demo: boardsDemo,
    belongings: [privateBoards],
  } satisfies Feature
}
