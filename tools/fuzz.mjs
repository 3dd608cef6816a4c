// `npm run fuzz -- --inputs 100000 --seed 1`: sends requests made from the contract, and changed ones, to a server of its
// own with a PostgreSQL of its own, and prints each reply that the contract does not declare. `--only secrets.` limits it to
// endpoints whose name begins so.
import { parseArgs } from 'node:util'
import { ensureInstalled, run } from './workspace.mjs'

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const [inputs, seed] = [Number(values.inputs), Number(values.seed)]
if (!Number.isSafeInteger(inputs) || inputs < 1 || !Number.isSafeInteger(seed)) {
  console.error('Give whole numbers: npm run fuzz -- --inputs 100000 --seed 1')
  process.exit(1)
}

await ensureInstalled()
const env = {
  BEY_FUZZ_INPUTS: String(inputs),
  BEY_FUZZ_SEED: String(seed),
  ...(values.only && { BEY_FUZZ_ONLY: values.only }),
}
const { code } = await run('vitest', ['run', 'packages/server/src/fuzz.test.ts'], { env })
process.exit(code)
