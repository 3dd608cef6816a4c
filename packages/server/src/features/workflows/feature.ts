import type { Feature } from '../../feature.ts'
import { paletteWorkflows } from './palette.ts'
import { workflowRoutes } from './routes.ts'
import type { Workflows } from './service.ts'

/** `workflows` stands before the others: it is what the engine executes (see `operations.ts`). */
export function workflowsFeature(workflows: Workflows) {
  return {
    handlers: workflowRoutes(workflows),
    palette: { workflow: paletteWorkflows },
  } satisfies Feature
}
