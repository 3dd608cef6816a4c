import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { goalText, isMissed, valueText } from './figure.ts'
import type { Figure } from './figure.ts'
import type { Outcome } from './run-bounded.ts'

const gibibyte = 1024 ** 3

/**
 * `docs/figures.md`: every figure of one run beside what it is held against and its goal, the benchmarks that did not
 * come to their end, and the machine that it ran on.
 */
export function figuresPage(outcomes: ReadonlyMap<string, Outcome>, load: number): string {
  const processors = cpus()
  return [
    '# Figures',
    '',
    'Written by `npm run figures`, which runs every benchmark once. Each can be repeated by its own command. A figure',
    'is held against what was measured in the same run wherever it is a ratio (×); times alone depend on the machine.',
    '',
    'Other consoles are not measured in this run, since they would have to be installed. Serve one on the same machine',
    'and run `npm run bench console -- --url=<its address>`: its `content`, cold and slow, stands against `content` of',
    '`npm run bench console` here, and its list of 10,000 pods against `first rows of the pod list` of',
    '`npm run bench kubernetes`. The goal on the slow profile is 0.4 × the 1.6 s that the console of Oxide took.',
    '',
    `Machine: ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, ` +
      `${Math.round(totalmem() / gibibyte)} GiB, Node ${process.versions.node}. ` +
      `Commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}, ` +
      `load ${load.toFixed(1)} at the start.`,
    ...[...outcomes].flatMap(([name, outcome]) => section(name, outcome)),
    '',
  ].join('\n')
}

function section(name: string, { figures, failure }: Outcome): string[] {
  const rows = figures.map((figure) => {
    const { name: what, value, unit, detail = '' } = figure
    return `| ${[what, valueText(value, unit), detail, goalText(figure), causeOf(figure)].map(cell).join(' | ')} |`
  })
  const table = ['', '| figure | measured | held against | goal | missed because |', '|---|---|---|---|---|']
  return [
    '',
    `## \`npm run bench ${name}\``,
    ...(failure === undefined ? [] : ['', `It did not come to its end: ${failure}`]),
    ...(rows.length > 0 ? [...table, ...rows] : []),
  ]
}

function causeOf(figure: Figure): string {
  return isMissed(figure) ? `**missed:** ${figure.cause ?? 'the cause is not known'}` : ''
}

/** A cell of a table in Markdown. */
function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
}
