// The product with three differences: many people may sign up from one address, for each test brings its own, hashes of
// their passwords are cheap, and its databases do not wait for the disk, for no test needs them after a crash of the machine.
import { readConfig } from '../config.ts'
import { createLog } from '../platform/log.ts'
import '../platform/resolve-once.ts'

const config = { ...readConfig(process.env), argon2: { memoryKib: 1_024, passes: 1 } }
const plenty = { burst: 100_000, perSecond: 1_000 }
const log = createLog({ level: config.logLevel, isPretty: false })
// Loaded once packages are resolved once.
const { createApp } = await import('../app.ts')
const app = await createApp(config, log, {
  isDurable: false,
  rateLimits: { credentialsPerAddress: 10_000, requestsPerUser: 100_000 },
  anonymousLimits: { upgradesPerAddress: plenty, refusalsPerAddress: plenty },
})
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))
