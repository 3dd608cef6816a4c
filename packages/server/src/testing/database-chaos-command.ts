// oxlint-disable no-console -- a command; it prints what it found
// `npm run chaos:databases -- --kills N --seed S`: kills Bey and the servers of databases while these are made, backed up,
// archived, restored, swapped and proven, and prints what did not hold.
import { parseArgs } from 'node:util'

import { type ActName, acts } from './database-chaos/acts.ts'
import { causeDatabaseChaos } from './database-chaos/chaos.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    act: { type: 'string', multiple: true },
  },
})
const kills = Number(values.kills)
const seed = Number(values.seed)
const isAct = (name: string): name is ActName => name in acts
const names = (values.act ?? []).filter(isAct)
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) {
  console.error('Give numbers: npm run chaos:databases -- --kills 200 --seed 1')
  process.exit(1)
}
const startedAt = performance.now()
console.log(`Killing Bey and servers of databases ${kills} times, seed ${seed}`)
let printed = 0
const figures = await causeDatabaseChaos({
  kills,
  seed,
  ...(names.length > 0 && { acts: names }),
  onAct(now, act, ms) {
    const all = violationsOf(now)
    for (const violation of all.slice(printed)) console.log(`  ${violation}`)
    printed = all.length
    console.log(`  ${now.kills} kills, ${now.acknowledged} rows; ${act} in ${(ms / 1000).toFixed(1)} s`)
  },
})
const { lost, notRestorable, unended, wrong } = figures
console.log(
  `seed ${seed}: ${figures.kills} kills (Bey ${figures.beyKilled}, servers ${figures.serversKilled}) in ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ` +
    `${figures.acknowledged} rows acknowledged; ${lost.length} times rows lost, ${notRestorable.length} backups not restorable, ` +
    `${unended.length} runs that did not end, ${wrong.length} wrong otherwise`,
)
console.log(`  ${JSON.stringify(figures.actsByName)}`)
for (const violation of violationsOf(figures)) console.log(`  ${violation}`)
process.exit(printed === 0 && violationsOf(figures).length === 0 ? 0 : 1)

function violationsOf(found: typeof figures): string[] {
  return [...found.lost, ...found.notRestorable, ...found.unended, ...found.wrong]
}
