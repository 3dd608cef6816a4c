import type { Feature, Parts } from '../../feature.ts'
import { statusRoutes } from './routes.ts'

type Needs = Pick<Parameters<typeof statusRoutes>[0], 'build' | 'reference' | 'readOnly'>

export function statusFeature({ database, clock, config }: Parts, needs: Needs) {
  const { isProduction } = config
  return { handlers: statusRoutes({ database, clock, isProduction, ...needs }) } satisfies Feature
}
