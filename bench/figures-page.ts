import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { goalText, isMissed, valueText } from './figure.ts'
import type { Figure } from './figure.ts'

const gibibyte = 1024 ** 3

/** `docs/figures.md`: every figure of one run beside its goal, and the machine that it ran on. */
export function figuresPage(byBenchmark: ReadonlyMap<string, readonly Figure[]>, load: number): string {
  const processors = cpus()
  return [
    '# Figures',
    '',
    'Written by `npm run figures`, which runs every benchmark once. Each can be repeated by its own command. A figure',
    'is held against what was measured in the same run wherever it is a ratio (×); times alone depend on the machine.',
    '',
    `Machine: ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, ` +
      `${Math.round(totalmem() / gibibyte)} GiB, Node ${process.versions.node}. ` +
      `Commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}, ` +
      `load ${load.toFixed(1)} at the start.`,
    ...[...byBenchmark].flatMap(([name, figures]) => section(name, figures)),
    '',
  ].join('\n')
}

function section(name: string, figures: readonly Figure[]): string[] {
  if (figures.length === 0) return []
  const rows = figures.map(
    (figure) =>
      `| ${figure.name} | ${valueText(figure.value, figure.unit)} | ${goalText(figure)} | ${notesOf(figure)} |`,
  )
  return [
    '',
    `## \`npm run bench ${name}\``,
    '',
    '| figure | measured | goal | |',
    '|---|---|---|---|',
    ...rows,
  ]
}

function notesOf(figure: Figure): string {
  return [isMissed(figure) ? '**missed**' : '', figure.detail ?? ''].filter(Boolean).join('; ')
}
