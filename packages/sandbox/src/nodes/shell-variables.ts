import type { Expansion } from './shell-expansion.ts'
import { failed, type Result } from './shell-result.ts'
import type { Shell } from './shell.ts'

/** A word that gives a variable its value. */
export const assignment = /^([A-Za-z_]\w*)=(.*)$/s
/** The commands whose operands are assignments. */
export const declaring = new Set(['export', 'readonly', 'local'])

/** `export`, `readonly` and `local`, whose operands are assignments or names. */
export function declare(
  shell: Shell,
  expansion: Expansion,
  how: string,
  operands: readonly string[],
): Result {
  const { environment, locals } = shell
  if (how === 'local' && !locals) return failed('sh: local: not in a function')
  for (const operand of operands) {
    const [, name = expansion.word(operand), value] = assignment.exec(operand) ?? []
    if (how === 'local' && locals && !locals.has(name)) locals.set(name, environment[name])
    if (value !== undefined) environment[name] = expansion.word(value)
  }
  return { out: '', error: '', code: 0 }
}

/** What changes the shell's own variables; undefined for any other command. */
export function changeShell(shell: Shell, name: string, operands: readonly string[]): Result | undefined {
  if (name === 'shift') shell.positional = shell.positional.slice(Number(operands[0] ?? 1))
  else if (name === 'unset') {
    for (const one of operands) {
      delete shell.environment[one]
      shell.functions.delete(one)
    }
  } else if (name === 'set' && operands[0] === '--') shell.positional = operands.slice(1)
  else if (name === 'set' && /^[-+][euxo]+$/.test(operands[0] ?? '')) {
    if (operands[0]?.includes('e')) shell.endsOnFailure = operands[0].startsWith('-')
  } else if (name === 'set' && operands[0] !== undefined)
    return failed(`sh: set: illegal option ${operands[0]}`, 2)
  else return undefined
  return { out: '', error: '', code: 0 }
}
