// A process that starts the embedded database and then waits: what the supervisor's tests kill.
// Arguments: data directory.
import { argv, stdout } from 'node:process'

import { startEmbedded } from '../platform/db/embedded/supervisor.ts'
import { createLog } from '../platform/log.ts'

const dataDir = argv[2]
if (dataDir === undefined) throw new Error('Name a data directory')
const embedded = await startEmbedded({ dataDir, isDurable: false }, createLog({ level: 'fatal' }))
stdout.write(`${JSON.stringify({ url: embedded.url, pid: embedded.pid() })}\n`)
// Long enough for any test; a forgotten one ends by itself.
setTimeout(() => undefined, 60_000)
