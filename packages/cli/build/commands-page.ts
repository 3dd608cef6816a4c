import type { EndpointCommand } from '../src/command.ts'
import { waitFlags } from '../src/arguments.ts'
import { handMadeCommands } from '../src/commands/table.ts'
import { usageOf } from '../src/usage.ts'

/** Every command with its arguments and flags, in Markdown; each server offers it as `/cli/commands.md`. */
export function commandsPage(rows: readonly EndpointCommand[]): string {
  return [
    '# Commands of `bey`',
    '',
    'Made from the endpoints of this server. `bey --help` says what all commands have in common.',
    '',
    '## Made for the terminal',
    '',
    ...handMadeCommands.flatMap(({ words, usage, summary }) => [
      `- \`bey ${words}${usage === '' ? '' : ` ${usage}`}\`: ${summary}`,
    ]),
    ...rows.flatMap((row, index) => [
      ...(nounOf(row) === nounOf(rows[index - 1]) ? [] : ['', `## bey ${nounOf(row)}`]),
      '',
      `\`${usageOf(row)}\`: ${row.summary}${row.isDestructive ? ' (asks first)' : ''}`,
      ...(row.flags.length === 0 && !row.waits ? [] : ['']),
      ...row.flags.map(
        ({ name, help, isRequired, isSecret }) =>
          `- \`--${name}\`${isRequired ? ' (required)' : ''}: ${isSecret ? '@file or @- of ' : ''}${escaped(help)}`,
      ),
      ...(row.waits ? waitFlags.map(([name, help]) => `- \`--${name}\`: ${help}`) : []),
    ]),
    '',
  ].join('\n')
}

function nounOf(row: EndpointCommand | undefined): string | undefined {
  return row?.words.split(' ')[0]
}

function escaped(text: string): string {
  return text.replace(/[<>*_|]/g, '\\$&')
}
