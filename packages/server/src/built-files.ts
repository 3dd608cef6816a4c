import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repositoryDir = fileURLToPath(new URL('../../../', import.meta.url))

/** The console as it was built, which is served as it is. */
export const consoleDir = join(repositoryDir, 'packages/console/dist')

/** Beside the console, not within it: what is there is not served. */
export const sourceMapsDir = join(repositoryDir, 'packages/console/source-maps')
