// One benchmark in a process of its own, started by `run-bounded.ts`, which hears each figure as it is reported.
import { benchmarks } from './benchmarks.ts'

const [name = ''] = process.argv.slice(2)
const benchmark = benchmarks[name]
if (!benchmark) throw new Error(`There is no benchmark named ${name}.`)
try {
  const { run } = await benchmark.start()
  await run()
  // What was sent before it has left as well.
  process.send?.({ isDone: true }, () => process.exit(0))
} catch (error) {
  console.error(error)
  // The reason stands beside the figures, and must have left before the end.
  const failure = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  process.send?.({ failure }, () => process.exit(1))
}
