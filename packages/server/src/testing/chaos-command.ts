// oxlint-disable no-console -- a command; it prints what it found
// `npm run chaos -- --minutes N --seed S`: kills workers and PostgreSQL under load and prints what did not hold.
// `npm run chaos -- --kills N --seed S`: kills PostgreSQL N times under clusters that are created and deleted.
import { parseArgs } from 'node:util'

import { causeChaos } from './chaos/chaos.ts'
import { killPostmasters } from './postmaster-kills.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    kills: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const kills = Number(values.kills ?? 200)
const minutes = Number(values.minutes ?? 5)
const seed = Number(values.seed)
if (!Number.isSafeInteger(kills) || kills < 1 || !(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('Give numbers: npm run chaos -- --minutes 5 --seed 1, or --kills 200 --seed 1')
  process.exit(1)
}
const startedAt = performance.now()
const violations = values.kills === undefined ? await endEverything() : await killDatabase()
for (const violation of violations) console.log(`  ${violation}`)
process.exit(violations.length === 0 ? 0 : 1)

async function endEverything(): Promise<string[]> {
  console.log(`Ending workers and PostgreSQL at random for ${minutes} min, seed ${seed}`)
  let count = 0
  const figures = await causeChaos({
    durationMs: minutes * 60_000,
    seed,
    everyMs: 4_000,
    workers: 2,
    onEnding({ killed, stopped, databases, open }) {
      count += 1
      if (count % 10 !== 0) return
      console.log(
        `  ${killed} workers killed, ${stopped} stopped, PostgreSQL killed ${databases} times, ${open} runs`,
      )
    },
  })
  const { lost, repeated, twice } = figures
  console.log(
    `seed ${seed}: ${figures.workersKilled} workers killed, ${figures.workersStopped} stopped, PostgreSQL killed ${figures.databasesKilled} times in ${seconds()} s; ` +
      `${figures.runs} runs (${figures.cancelled} cancelled, ${figures.takenOver} take-overs), ${figures.steps} steps, ${figures.effects} effects, ${figures.uncertain} uncertain; ` +
      `${lost.length} lost, ${repeated.length} repeated, ${twice.length} twice`,
  )
  return [...lost, ...repeated, ...twice]
}

async function killDatabase(): Promise<string[]> {
  console.log(`Killing PostgreSQL ${kills} times, seed ${seed}`)
  const figures = await killPostmasters({
    kills,
    seed,
    isDurable: true,
    onKill({ kills: done, stuck, spurious, repeated }) {
      if (done % 20 === 0)
        console.log(
          `  ${done} kills: ${stuck.length} stuck, ${spurious.length} spurious, ${repeated.length} repeated`,
        )
    },
  })
  const { stuck, spurious, repeated } = figures
  console.log(
    `seed ${seed}: ${figures.kills} kills in ${seconds()} s, ${figures.requests} requests, ${figures.unanswered} unanswered; ${stuck.length} stuck, ${spurious.length} spurious, ${repeated.length} repeated`,
  )
  return [...stuck, ...spurious, ...repeated]
}

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0)
}
