// `npm run capacity`: what an installation of a given size needs, and what runs out first, from the costs that
// `docs/figures.md` has. Each assumption is an option, for example `npm run capacity -- --users 5000 --runs-per-day 100000`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../tools/source-files.ts'
import { goal, planText, type Population } from './plan.ts'
import { unitCosts } from './unit-costs.ts'

const optionOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const names = Object.keys(goal) as (keyof Population)[]
const { values } = parseArgs({
  options: Object.fromEntries(names.map((name) => [optionOf(name), { type: 'string' as const }])),
})
const population = { ...goal }
for (const name of names) {
  const given = values[optionOf(name)]
  if (given === undefined) continue
  const value = Number(given)
  const isShare = name === 'activeShare' || name === 'onTheHour'
  if (!(value > 0 || (name === 'onTheHour' && value === 0)) || (isShare && value > 1)) {
    console.error(`--${optionOf(name)} is ${isShare ? 'a share from 0 to 1' : 'a number greater than 0'}.`)
    process.exit(1)
  }
  population[name] = value
}
console.log(planText(population, unitCosts(readFileSync(join(root, 'docs/figures.md'), 'utf8'))))
