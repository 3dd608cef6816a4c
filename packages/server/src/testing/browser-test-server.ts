// The product with one difference: many people may sign up from one address, for each test brings its own.
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../platform/log.ts'

const config = readConfig(process.env)
const plenty = { burst: 100_000, perSecond: 1_000 }
const log = createLog({ level: config.logLevel, isPretty: false })
const app = await createApp(config, log, {
  rateLimits: { credentialsPerAddress: 10_000, requestsPerUser: 100_000 },
  anonymousLimits: { upgradesPerAddress: plenty, refusalsPerAddress: plenty },
})
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))
