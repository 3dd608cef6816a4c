// `npm run chaos -- --kills N --seed S`: kills PostgreSQL under a working server and prints what did not hold.
import { parseArgs } from 'node:util'
import { killPostmasters } from '../packages/server/src/testing/postmaster-kills.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
})
const kills = Number(values.kills)
const seed = Number(values.seed)
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) {
  console.error('Give whole numbers: npm run chaos -- --kills 200 --seed 1')
  process.exit(1)
}
console.log(`Killing PostgreSQL ${kills} times, seed ${seed}`)
const startedAt = performance.now()
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
const seconds = (performance.now() - startedAt) / 1000
const violations = [...figures.stuck, ...figures.spurious, ...figures.repeated]
for (const violation of violations) console.log(`  ${violation}`)
console.log(
  `seed ${seed}: ${figures.kills} kills in ${seconds.toFixed(0)} s, ${figures.requests} requests, ${figures.unanswered} unanswered; ${figures.stuck.length} stuck, ${figures.spurious.length} spurious, ${figures.repeated.length} repeated`,
)
process.exit(violations.length === 0 ? 0 : 1)
