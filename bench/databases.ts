import { spawnSync } from 'node:child_process'

import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { report } from './figure.ts'
import { median, processMemoryMb } from './process-figures.ts'

const creations = 3
const queries = 15
const firstRows = 'select n, md5(n::text) as key from generate_series(1, 500) n'
/** 10,000 rows of a megabyte each. */
const tenGigabytes = `select repeat('x', 1000000) as part from generate_series(1, 10000)`

const person = {
  name: 'Bench',
  email: 'bench@example.com',
  password: 'Correct-horse-26!',
  organization: 'Bench',
}

/** How soon a database of Bey answers, what the SQL console adds to psql, and what a query of 10 GB costs in memory. */
export async function run(): Promise<void> {
  const bey = await startBey()
  try {
    const { client } = await signUpByApi(bey.url, person)
    const times: number[] = []
    let id = ''
    for (let number = 0; number < creations; number += 1) {
      const startedAt = performance.now()
      const made = await client.call('databases.create', {
        body: { provider: 'embedded', name: `bench-${number}` },
      })
      id = made.id
      await firstAnswer(() =>
        client.call('databases.query', { params: { id }, body: { statement: 'select 1' } }),
      )
      times.push(performance.now() - startedAt)
    }
    report({ name: 'create a database, to its first query', value: median(times), unit: 'ms', goal: 5_000 })

    const params = { id }
    const ask = (statement: string) => client.call('databases.query', { params, body: { statement } })
    const { endpoint, credential } = await client.call('databases.get', { params })
    const { value: password } = await client.call('secrets.reveal', {
      params: { id: credential?.id ?? '' },
      body: { reason: 'Benchmark' },
    })
    const psql = () => {
      const { host = '', port = 0, database = '', username = '' } = endpoint ?? {}
      const uri = `postgresql://${username}@${host}:${port}/${database}`
      const env = { ...process.env, PGPASSWORD: typeof password === 'string' ? password : '' }
      return spawnSync('psql', ['--no-psqlrc', '--quiet', uri, '-c', firstRows], { env }).status === 0
    }
    if (psql()) {
      const own: number[] = []
      const theirs: number[] = []
      // In turns, for a machine may be quick now and slow a minute later.
      for (let round = 0; round < queries; round += 1) {
        own.push(await timed(() => ask(firstRows)))
        theirs.push(await timed(async () => psql()))
      }
      report({
        name: 'first rows of a query, against psql',
        value: median(own) / median(theirs),
        unit: '×',
        goal: 1.3,
        detail: `${Math.round(median(own))} ms, psql with its start ${Math.round(median(theirs))} ms`,
      })
    } else console.log('  first rows against psql: psql is not found')

    const before = processMemoryMb(bey.pid)
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, processMemoryMb(bey.pid))), 20)
    const ms = await timed(() => ask(tenGigabytes))
    clearInterval(watch)
    report({
      name: 'memory of a query of 10 GB in the server',
      value: peak - before,
      unit: 'MB',
      goal: 64,
      detail: `answered in ${Math.round(ms)} ms, as far as an answer goes`,
    })
  } finally {
    await bey.stop()
    removeData(bey)
  }
}

/** Asks until there is an answer: the database is being made. */
async function firstAnswer(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const answered = await ask().then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((done) => setTimeout(done, 50))
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
