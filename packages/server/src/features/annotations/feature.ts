import type { Feature, Parts } from '../../feature.ts'
import { annotationRoutes } from './routes.ts'
import { createAnnotations } from './service.ts'

export function annotationsFeature({ database, config }: Parts) {
  const { publicUrl } = config
  return { handlers: annotationRoutes(createAnnotations({ database, publicUrl })) } satisfies Feature
}
