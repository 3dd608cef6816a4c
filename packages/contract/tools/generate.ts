import { writeFileSync } from 'node:fs'
import { api } from '../src/api.ts'
import { errorsPage } from './errors-page.ts'
import { routesSource } from './routes-source.ts'

const target = new URL('../src/routes.generated.ts', import.meta.url)
writeFileSync(target, routesSource(api))
writeFileSync(new URL('../../../docs/errors.md', import.meta.url), errorsPage())
