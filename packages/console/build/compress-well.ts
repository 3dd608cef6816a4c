// Compresses the built console as small as it gets, while its server runs: `npm start` builds it with less effort.
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { compressFiles } from './compressed.ts'

const lowestPriority = 19
setPriority(lowestPriority)
await compressFiles(join(import.meta.dirname, '../dist'), 'best')
