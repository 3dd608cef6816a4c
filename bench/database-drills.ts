import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { report } from './figure.ts'
import { person } from './with-browser.ts'

const gibibyte = 1024 ** 3
const chunk = 64

/** How long a restore drill of a database of 1 GB takes until its copy answers, and what would have been lost. */
export async function run(): Promise<void> {
  const bey = await startBey()
  try {
    const { client } = await signUpByApi(bey.url, person('Ada'))
    const made = await client.call('databases.create', {
      body: { provider: 'embedded', name: 'orders', plan: 'small' },
    })
    const params = { id: made.id }
    await until(async () => (await client.call('databases.get', { params })).status === 'available')
    const execute = async (statement: string) => {
      const { error } = await client.call('databases.execute', { params, body: { statement } })
      if (error !== null) throw new Error(error.message)
    }
    await execute('create table parts (n integer, part text)')
    await execute('alter table parts alter column part set storage external')
    // What cannot be compressed, in rows of 8 kB: 1 GiB in all.
    for (let n = 0; n < 1024 / chunk; n += 1) {
      await execute(
        `insert into parts select n, (select string_agg(md5(n::text || i::text), '') from generate_series(1, 250) i)
         from generate_series(1, ${chunk * 128}) n`,
      )
    }
    const backup = await client.call('databases.backups.create', { params })
    const { id: backupId } = backup
    await until(async () => {
      const { status, failure } = await client.call('databases.backups.get', {
        params: { ...params, backupId },
      })
      if (status === 'failed') throw new Error(failure ?? 'The backup failed')
      return status === 'completed'
    })
    const { id: drillId } = await client.call('databases.drill', { params })
    const read = async () => {
      const { restores } = await client.call('databases.restores.list', { params, query: { kind: 'drill' } })
      return restores.find(({ id }) => id === drillId)
    }
    await until(async () => (await read())?.proof != null)
    const drill = await read()
    if (drill?.proof !== 'passed') throw new Error(drill?.failure ?? 'The drill is gone')
    const { restoreMs, replayMs, totalMs } = drill.durations
    const { figures } = await client.call('databases.get', { params })
    const detail = `${((figures?.sizeBytes ?? 0) / gibibyte).toFixed(2)} GiB; with checks and removal ${Math.round((totalMs ?? 0) / 1000)} s`
    report({
      name: 'a drill of 1 GB, until the copy answers',
      value: (restoreMs ?? 0) + (replayMs ?? 0),
      unit: 'ms',
      detail,
    })
    report({
      name: 'a drill of 1 GB, what would have been lost',
      value: drill.lostMs ?? 0,
      unit: 'ms',
    })
  } finally {
    await bey.stop()
    removeData(bey)
  }
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- until it is done
  while (!(await isDone())) await new Promise((done) => setTimeout(done, 200))
}
