// A first start, while the console is built: makes the embedded database, and keeps the server's modules compiled
// (NODE_COMPILE_CACHE). Its exit code alone says that it failed: the start of the server meets the same, and says it.
import './platform/resolve-once.ts'

const { readConfig } = await import('./config.ts')
const config = readConfig(process.env)
// A database elsewhere may serve another Bey: only a start that has built everything changes it.
if (config.databaseUrl === undefined) {
  const [{ createClosing }, { realClock }, { createLog }, { openStorage }] = await Promise.all([
    import('./closing.ts'),
    import('./platform/clock.ts'),
    import('./platform/log.ts'),
    import('./storage.ts'),
  ])
  const log = createLog({ level: 'silent' })
  const closing = createClosing(log)
  // It ends by itself within seconds, and half a database is of no use.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const opening = openStorage({
    config,
    clock: realClock,
    log,
    closing,
    isDurable: undefined,
    connectWithinMs: undefined,
  })
  const opened = await Promise.allSettled([opening, import('./app.ts')])
  await closing.close()
  process.exit(opened.every(({ status }) => status === 'fulfilled') ? 0 : 1)
}
