import { workflowDefinition } from '@bey/contract/workflows/definition'

import type { Handlers } from '../../../../platform/http/handlers.ts'
import { workflowTemplates } from './templates.ts'

export function templateRoutes(): Handlers<'workflows.templates'> {
  const templates = workflowTemplates.map(({ definition, ...template }) => ({
    ...template,
    definition: workflowDefinition.parse(definition),
  }))
  return { 'workflows.templates': async () => ({ templates }) }
}
